import { createHmac, hash, randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createAuthenticator, type SignedCall } from "./authenticate.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const ANN = { publicKey: `wk_${"a1".repeat(16)}`, secretKey: "ws_secret-of-ann" };
const BOB = { publicKey: `wk_${"b2".repeat(16)}`, secretKey: "ws_secret-of-bob" };
const PATH = "/api/v2/partner/orders";
const BODY = Buffer.from('{"claimedDepositAmount":"0.5","externalId":"7"}');

function open(whiteListIp = "") {
  const taken = new Set<string>();
  const state = { now: NOW, marked: 0, isActive: true, isLost: false };
  const authenticate = createAuthenticator({
    keys: {
      findApiKey: async (publicKey) => {
        const at = [ANN, BOB].findIndex((one) => one.publicKey === publicKey);
        const key = [ANN, BOB][at];
        if (key === undefined || !state.isActive) return null;
        return {
          apiId: key.publicKey,
          userId: BigInt(at + 1),
          secretKey: key.secretKey,
          whiteListIp,
          lastUsedAt: null,
        };
      },
      markApiKeyUsed: async () => void (state.marked += 1),
    },
    used: {
      take: async (signature, _signedAt, key) => {
        if (state.isLost) return "unknown";
        if (!state.isActive || key.whiteListIp !== whiteListIp) return "other-key";
        if (taken.has(signature)) return "used";
        taken.add(signature);
        return "taken";
      },
    },
    realNow: () => new Date(state.now),
  });
  return { authenticate, state };
}

type Signed = Omit<SignedCall, "headers" | "body"> & { headers: Record<string, string>; body: Buffer };

/** Written from the document, not from the server's own function. */
function signed(version: 1 | 2, changes: Partial<Signed> & { at?: number | string; key?: typeof ANN } = {}): Signed {
  const { at = NOW, key = ANN, method = "POST", path = PATH, body = BODY, address = "192.0.2.1" } = changes;
  const text =
    version === 1
      ? Buffer.concat([Buffer.from(`${at}`), body, Buffer.from(key.publicKey)])
      : Buffer.from(`${at}\n${method}\n${path}\n${hash("sha256", body)}\n${key.publicKey}`);
  return {
    method,
    path,
    body,
    address,
    isCreation: method === "POST" && path === PATH,
    headers: {
      "x-api-public-key": key.publicKey,
      "x-api-timestamp": `${at}`,
      "x-api-signature": createHmac("sha256", key.secretKey).update(text).digest("base64"),
      ...(version === 2 && { "x-api-signature-version": "2" }),
      ...changes.headers,
    },
  };
}
const GET = { method: "GET", body: Buffer.alloc(0) };
const REFUSED = { code: "ERR_UNAUTHORIZED", httpStatus: 401, data: undefined };
const USED = { code: "ERR_UNAUTHORIZED", httpStatus: 401, data: { "X-Api-Signature": "was used already" } };

describe("a signed call", () => {
  test("is its key's, in both versions", async () => {
    const { authenticate } = open();
    expect(await authenticate(signed(1))).toEqual({ userId: 1n, publicKey: ANN.publicKey });
    expect(await authenticate(signed(2, { key: BOB }))).toEqual({ userId: 2n, publicKey: BOB.publicKey });
    expect(await authenticate(signed(1, { ...GET, headers: { "x-api-signature-version": "1" } }))).toMatchObject({
      userId: 1n,
    });
  });

  test("is taken up to 30 s from our clock on either side, and not beyond", async () => {
    const { authenticate } = open();
    for (const off of [-30_000, 30_000])
      expect(await authenticate(signed(2, { at: NOW + off }))).toMatchObject({ userId: 1n });
    for (const off of [-30_001, 30_001, -86_400_000])
      await expect(authenticate(signed(2, { at: NOW + off }))).rejects.toMatchObject(REFUSED);
  });

  test("has its time as 13 digits: another spelling of the same moment is none", async () => {
    const { authenticate } = open();
    const others = [
      `+${NOW}`,
      `0${NOW}`,
      `${NOW}.0`,
      `${NOW}e0`,
      ` ${NOW}`,
      `0x${NOW.toString(16)}`,
      `${NOW / 1_000}e3`,
    ];
    for (const written of others) {
      expect(Number(written)).toBe(NOW);
      const stamped = signed(2, { at: written });
      await expect(authenticate(stamped)).rejects.toMatchObject(REFUSED);
    }
    expect(await authenticate(signed(2))).toMatchObject({ userId: 1n });
  });

  test("is taken once, but a read of version 1 as often as it comes", async () => {
    const { authenticate } = open();
    for (const call of [signed(1), signed(2), signed(2, GET)]) {
      await authenticate(call);
      await expect(authenticate(call)).rejects.toMatchObject(USED);
    }
    for (let n = 0; n < 3; n += 1) expect(await authenticate(signed(1, GET))).toMatchObject({ userId: 1n });
  });

  test("is put off while nobody knows whether its signature was used, but a read of version 1 is not", async () => {
    const { authenticate, state } = open();
    state.isLost = true;
    for (const call of [signed(1), signed(2), signed(2, GET)])
      await expect(authenticate(call)).rejects.toMatchObject({
        code: "ERR_SERVICE_UNAVAILABLE",
        httpStatus: 503,
        retryAfterSeconds: 90,
      });
    expect(await authenticate(signed(1, GET))).toMatchObject({ userId: 1n });
    state.isLost = false;
    expect(await authenticate(signed(2))).toMatchObject({ userId: 1n });
  });

  test("that was used is answered so only where its signature, address and key are right", async () => {
    const { authenticate, state } = open("192.0.2.1");
    const call = signed(2);
    await authenticate(call);
    await expect(authenticate({ ...call, address: "192.0.2.2" })).rejects.toMatchObject(REFUSED);
    await expect(authenticate({ ...call, path: `${PATH}?a=1` })).rejects.toMatchObject(REFUSED);
    state.isActive = false;
    await expect(authenticate(call)).rejects.toMatchObject(REFUSED);
    state.isActive = true;
    await expect(authenticate(call)).rejects.toMatchObject(USED);
    expect(await authenticate(signed(2, { at: NOW + 1 }))).toMatchObject({ userId: 1n });
  });

  test("of version 1 changes nothing but by the creation of an order", async () => {
    const { authenticate } = open();
    for (const path of [`${PATH}/A/refund`, "/api/v2/partner/webhooks"])
      await expect(authenticate(signed(1, { path }))).rejects.toMatchObject(REFUSED);
    await expect(authenticate(signed(1, { method: "DELETE" }))).rejects.toMatchObject(REFUSED);
  });

  test("by a key that was switched off is refused at once", async () => {
    const { authenticate, state } = open();
    await authenticate(signed(2, { at: NOW }));
    state.isActive = false;
    await expect(authenticate(signed(2, { at: NOW + 1 }))).rejects.toMatchObject(REFUSED);
    expect(state.marked).toBe(1);
  });

  test("comes from an address of its key's list", async () => {
    const { authenticate } = open("192.0.2.7, 2001:db8::/32,198.51.100.0/24");
    let at = NOW;
    const from = (address: string) => authenticate(signed(2, { address, at: (at += 1) }));
    for (const address of ["192.0.2.7", "::ffff:192.0.2.7", "2001:db8:1::9", "198.51.100.255"])
      expect(await from(address)).toMatchObject({ userId: 1n });
    for (const address of ["192.0.2.8", "::ffff:192.0.2.8", "2001:db9::1", "198.51.101.0", "192.0.2.7, 10.0.0.1", ""])
      await expect(from(address)).rejects.toMatchObject(REFUSED);
  });
});

const LETTERS = Array.from('ABCabc0189+/=_- \n\u00e9{}",:');
const pick = <One>(list: readonly One[]): One => list[randomInt(list.length)] as One;

function mutatedText(text: string): string {
  const at = randomInt(text.length + 1);
  const letter = pick(LETTERS);
  return pick([
    text.slice(0, at) + letter + text.slice(at),
    text.slice(0, at) + letter + text.slice(at + 1),
    text.slice(0, Math.max(0, at - 1)) + text.slice(at),
    text.slice(at) + text.slice(0, at),
    text.toUpperCase(),
    text.replace(/=+$/, ""),
    `${text} `,
    "",
  ]);
}

type Change = () => Signed;

/** Something of a right call is changed, so that what its key signed is another call. */
function mutated(version: 1 | 2, n: number): Signed {
  const isRead = pick([true, false]);
  const call = signed(version, { at: NOW + (n % 30_000), ...(isRead && GET) });
  const { headers } = call;
  const other = signed(version, { key: BOB, at: NOW + (n % 30_000), ...(isRead && GET) });
  const name = pick(["x-api-public-key", "x-api-timestamp", "x-api-signature"] as const);
  const changes: Change[] = [
    () => ({ ...call, headers: { ...headers, [name]: mutatedText(headers[name] ?? "") } }),
    () => ({ ...call, headers: { ...headers, [name]: other.headers[name] ?? "" } }),
    () => ({ ...call, body: Buffer.from(mutatedText(call.body.toString())) }),
    () => ({ ...call, body: Buffer.concat([call.body, Buffer.from([randomInt(256)])]) }),
    () => ({ ...call, headers: { ...headers, "x-api-signature-version": version === 1 ? "2" : "1" }, body: BODY }),
    () => ({ ...call, headers: { ...headers, "x-api-timestamp": `${NOW + 30_001 + n}` } }),
    // Digits that move between the time stamp and the body leave the text of version 1 as it was.
    () => {
      const stamp = headers["x-api-timestamp"] ?? "";
      const body = Buffer.concat([Buffer.from(stamp.slice(-1)), call.body]);
      return { ...call, body, headers: { ...headers, "x-api-timestamp": stamp.slice(0, -1) } };
    },
  ];
  if (version === 2)
    changes.push(
      () => ({ ...call, path: mutatedText(call.path) }),
      () => ({ ...call, path: `${call.path}?limit=1` }),
      () => ({ ...call, method: call.method === "GET" ? "POST" : "DELETE" }),
    );
  return pick(changes)();
}

const isSame = (one: Signed, other: Signed) =>
  JSON.stringify([one.headers, one.method, one.path, one.body.toString("hex")]) ===
  JSON.stringify([other.headers, other.method, other.path, other.body.toString("hex")]);

test("none of 10,000 random mutations of a signed call is accepted", async () => {
  const { authenticate, state } = open();
  let tried = 0;
  const accepted: Signed[] = [];
  for (let n = 0; tried < 10_000; n += 1) {
    const version = n % 2 === 0 ? 1 : 2;
    const call = mutated(version, n);
    const at = NOW + (n % 30_000);
    // A mutation may happen to write what was there.
    if ([signed(version, { at }), signed(version, { at, ...GET })].some((right) => isSame(right, call))) continue;
    tried += 1;
    await authenticate(call).then(
      () => void accepted.push(call),
      (error: unknown) => expect(error).toMatchObject(REFUSED),
    );
  }
  expect(accepted).toEqual([]);
  expect(state.marked).toBe(0);
});
