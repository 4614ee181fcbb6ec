import { createHmac, hash } from "node:crypto";
import * as z from "zod";
import { MAX_API_KEYS } from "#contract/accounts/api-keys.ts";
import { calls, partnerCalls } from "#contract/calls.ts";
import { RATE_PATH } from "../sandbox-order.ts";
import type { Target } from "./load.ts";

/** Half of what a time stamp may be off, and some of it for a request's own time. */
const EARLIEST_MS = 25_000;
/** A key signs once a millisecond: five of one account would be used up by 5,000 calls a second. */
const ACCOUNTS = 6;
const keySchema = z.object({ publicKey: z.string(), secretKey: z.string() });

/**
 * Quotes of the partner API, each signed for itself by the keys of new accounts, and the same quote of the public API. Both are sent with
 * the headers of a signature, so that making them costs both the same.
 */
export async function signedQuotes(origin: string): Promise<{ signed: Target; unsigned: Target }> {
  const keys: z.infer<typeof keySchema>[] = [];
  for (let n = 1; n <= ACCOUNTS; n += 1) keys.push(...(await makeKeys(origin, n)));
  const path = RATE_PATH.replace(calls.rate.path, partnerCalls.partnerRate.path);
  let count = 0;
  const newest = keys.map(() => 0);
  const headersOfEach = () => {
    count += 1;
    const at = count % keys.length;
    const { publicKey, secretKey } = keys[at] ?? { publicKey: "", secretKey: "" };
    // No two of a key in one millisecond, also over many rounds: equal signatures are taken once.
    const signedAt = Math.max((newest[at] ?? 0) + 1, Date.now() - EARLIEST_MS);
    newest[at] = signedAt;
    const timestamp = `${signedAt}`;
    const text = [timestamp, "GET", path, hash("sha256", ""), publicKey].join("\n");
    return {
      "x-api-public-key": publicKey,
      "x-api-timestamp": timestamp,
      "x-api-signature": createHmac("sha256", secretKey).update(text).digest("base64"),
      "x-api-signature-version": "2",
    };
  };
  return { signed: { url: origin + path, headersOfEach }, unsigned: { url: origin + RATE_PATH, headersOfEach } };
}

async function makeKeys(origin: string, account: number): Promise<z.infer<typeof keySchema>[]> {
  const body = { email: `bench-${account}-${Date.now()}@mail.example`, password: "a long enough phrase" };
  const post = async (path: string, given: object, cookie = "") => {
    const response = await fetch(origin + path, {
      method: "POST",
      headers: { "content-type": "application/json", origin, cookie, "x-forwarded-for": `198.51.100.${account}` },
      body: JSON.stringify(given),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  await post(calls.createLocal.path, body);
  const session = await post(calls.authenticateLocal.path, body);
  const cookie = session.headers
    .getSetCookie()
    .flatMap((line) => line.split(";", 1))
    .join("; ");
  const keys: z.infer<typeof keySchema>[] = [];
  for (let n = 0; n < MAX_API_KEYS; n += 1) {
    const made = await post(calls.generateApiKey.path, { name: `bench ${n}`, whiteListIp: "" }, cookie);
    keys.push(keySchema.parse(await made.json()));
  }
  return keys;
}
