import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as z from "zod";
import { signedHeaders } from "./sign-call.ts";

const vectorsSchema = z.array(
  z.object({
    version: z.literal([1, 2]),
    publicKey: z.string(),
    secretKey: z.string(),
    timestamp: z.string(),
    method: z.string(),
    path: z.string(),
    body: z.string(),
    signature: z.string(),
  }),
);

test("the page signs as the published vectors do", async () => {
  const vectors = vectorsSchema.parse(JSON.parse(await readFile("docs/signature-vectors.json", "utf8")));
  const second = vectors.filter(({ version }) => version === 2);
  expect(second.length).toBeGreaterThan(2);
  for (const { timestamp, signature, method, path, body, ...key } of second)
    expect(await signedHeaders(key, { method, path, body, at: Number(timestamp) })).toEqual({
      "x-api-public-key": key.publicKey,
      "x-api-timestamp": timestamp,
      "x-api-signature": signature,
      "x-api-signature-version": "2",
    });
});
