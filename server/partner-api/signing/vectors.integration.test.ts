import { execFile } from "node:child_process";
import { createHmac, hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { signatureOf } from "./signature.ts";

const FILE = "docs/signature-vectors.json";
const vectorSchema = z.object({
  name: z.string(),
  version: z.literal([1, 2]),
  publicKey: z.string(),
  secretKey: z.string(),
  timestamp: z.string(),
  method: z.string(),
  path: z.string(),
  body: z.string(),
  signedText: z.string(),
  signature: z.string(),
});
type Vector = z.infer<typeof vectorSchema>;

let vectors: Vector[];
beforeAll(async () => {
  vectors = z
    .array(vectorSchema)
    .min(7)
    .parse(JSON.parse(await readFile(FILE, "utf8")));
});
const published = () => vectors.map(({ signature }) => signature);

test("the published signatures are those that the server checks", () => {
  const made = vectors.map(({ version, secretKey, body, ...parts }) =>
    signatureOf(version, { ...parts, body: Buffer.from(body) }, secretKey),
  );
  expect(made).toEqual(published());
});

test("node:crypto makes the published signatures", () => {
  const textOf = ({ version, timestamp, method, path, body, publicKey }: Vector) =>
    version === 1
      ? `${timestamp}${body}${publicKey}`
      : `${timestamp}\n${method}\n${path}\n${hash("sha256", body)}\n${publicKey}`;
  expect(vectors.map(textOf)).toEqual(vectors.map(({ signedText }) => signedText));
  expect(vectors.map((one) => createHmac("sha256", one.secretKey).update(textOf(one)).digest("base64"))).toEqual(
    published(),
  );
});

test("Web Crypto makes the published signatures", async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const made = vectors.map(async ({ version, timestamp, method, path, body, publicKey, secretKey }) => {
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes(body))).toString("hex");
    const text = version === 1 ? timestamp + body + publicKey : [timestamp, method, path, digest, publicKey].join("\n");
    const key = await crypto.subtle.importKey("raw", bytes(secretKey), algorithm, false, ["sign"]);
    return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(text)))));
  });
  expect(await Promise.all(made)).toEqual(published());
});

/** Its standard library alone. */
const PYTHON = `
import base64, hashlib, hmac, json, sys
for v in json.load(open(sys.argv[1], encoding="utf-8")):
    body = v["body"].encode()
    if v["version"] == 1:
        text = v["timestamp"].encode() + body + v["publicKey"].encode()
    else:
        text = "\\n".join([v["timestamp"], v["method"], v["path"], hashlib.sha256(body).hexdigest(), v["publicKey"]]).encode()
    print(base64.b64encode(hmac.new(v["secretKey"].encode(), text, hashlib.sha256).digest()).decode())
`;

test("Python's standard library makes the published signatures", async () => {
  const { stdout } = await promisify(execFile)("python3", ["-c", PYTHON, FILE]);
  expect(stdout.trim().split("\n")).toEqual(published());
});
