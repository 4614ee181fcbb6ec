import { timingSafeEqual } from "node:crypto";
import { CodedError } from "#contract/errors.ts";
import { OverloadError } from "../../base/overload-error.ts";
import type { ApiKeys, UsableApiKey } from "../../accounts/port.ts";
import { isAllowedAddress } from "./allowed-addresses.ts";
import { SIGNATURE_WINDOW_MS, signatureOf, type SignatureVersion, type SignedParts } from "./signature.ts";
import type { Taking, UsedSignatures } from "./used-signatures.ts";

/** Then it is read again, and noted as used. */
const KNOWN_MS = 10_000;
const KNOWN_KEYS = 1_000;
const UNKNOWN =
  "Signed calls are taken again in a moment: which signatures were used is not known since the database was recovered";
const UNKNOWN_SECONDS = 90;
const TIMESTAMP = /^\d{13}$/;
const PUBLIC_KEY = /^wk_[0-9a-f]{32}$/;
/** 32 bytes in base64, which can be written in one way only: it is compared as a text. */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;

/** A signed call as it came, before anything in it is trusted. */
export type SignedCall = Omit<SignedParts, "timestamp" | "publicKey"> & {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of the client, by the trusted proxies alone. */
  address: string;
  /** What version 1 may sign beside reads: creations of orders. */
  isCreation: boolean;
};

/** Whose call it is. */
export type Partner = { userId: bigint; publicKey: string };

export type AuthenticatorParts = {
  keys: Pick<ApiKeys, "findApiKey" | "markApiKeyUsed">;
  used: UsedSignatures;
  realNow?: () => Date;
};

/**
 * The account whose key signed a call. Throws one ERR_UNAUTHORIZED for each that none did, whatever is wrong with it, and another one for a right
 * signature that was taken before: whoever made it may sign anew. ERR_SERVICE_UNAVAILABLE while nobody knows whether it was.
 */
export function createAuthenticator({ keys, used, realNow = () => new Date() }: AuthenticatorParts) {
  const recent = recentKeys();
  return async (call: SignedCall): Promise<Partner> => {
    const given = readHeaders(call);
    if (given === null) throw refused();
    const { version, timestamp, publicKey, signature } = given;
    const signedAt = Number(timestamp);
    const isRead = call.method === "GET" || call.method === "HEAD";
    if (version === 1 && !isRead && !call.isCreation) throw refused();
    if (Math.abs(realNow().getTime() - signedAt) > SIGNATURE_WINDOW_MS) throw refused();
    const isRepeatable = version === 1 && isRead;
    const { method, path, body } = call;
    const isSignedBy = (key: UsableApiKey | null): key is UsableApiKey => {
      // An unknown key costs the same HMAC.
      const expected = signatureOf(version, { timestamp, method, path, body, publicKey }, key?.secretKey ?? "");
      // Of equal length, as both are 32 bytes in base64.
      const isEqual = timingSafeEqual(Buffer.from(signature, "latin1"), Buffer.from(expected, "latin1"));
      return key !== null && isEqual && isAllowedAddress(key.whiteListIp, call.address);
    };
    const take = (key: KnownKey) => used.take(signature, signedAt, key);

    const known = isRepeatable ? null : recent.find(publicKey);
    if (known !== null && isSignedBy(known) && isTaken(await take(known))) return { userId: known.userId, publicKey };
    const found = await keys.findApiKey(publicKey);
    if (!isSignedBy(found)) throw refused();
    const key = { ...found, publicKey };
    if (!isRepeatable && !isTaken(await take(key))) throw refused();
    recent.keep(key);
    await keys.markApiKeyUsed(key);
    return { userId: key.userId, publicKey };
  };
}

function isTaken(taking: Taking): boolean {
  if (taking === "used") throw usedAlready();
  if (taking === "unknown") throw new OverloadError(UNKNOWN, UNKNOWN_SECONDS);
  return taking === "taken";
}

type KnownKey = UsableApiKey & { publicKey: string };

/** Keys of the last calls: whoever takes a signature sees whether the key is still so, and a call asks the database once instead of twice. */
function recentKeys() {
  const keys = new Map<string, { key: KnownKey; readAt: number }>();
  return {
    find(publicKey: string): KnownKey | null {
      const known = keys.get(publicKey);
      return known !== undefined && performance.now() - known.readAt < KNOWN_MS ? known.key : null;
    },
    keep(key: KnownKey): void {
      if (keys.size >= KNOWN_KEYS) keys.clear();
      keys.set(key.publicKey, { key, readAt: performance.now() });
    },
  };
}

const refused = (): CodedError =>
  new CodedError(
    "ERR_UNAUTHORIZED",
    "The call is not signed by an API key that may make it, at this time and from this address",
  );

/** Of a right signature alone: two programs with one key may make equal calls in one millisecond. */
const usedAlready = (): CodedError =>
  new CodedError("ERR_UNAUTHORIZED", "This signature was used already: sign the call again, with another time stamp", {
    data: { "X-Api-Signature": "was used already" },
  });

type Given = { version: SignatureVersion; timestamp: string; publicKey: string; signature: string };

function readHeaders({ headers }: SignedCall): Given | null {
  const textOf = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : "";
  };
  const [timestamp, publicKey] = [textOf("x-api-timestamp"), textOf("x-api-public-key")];
  const signature = textOf("x-api-signature");
  const version = readVersion(headers["x-api-signature-version"]);
  if (version === null || !TIMESTAMP.test(timestamp)) return null;
  return PUBLIC_KEY.test(publicKey) && SIGNATURE.test(signature) ? { version, timestamp, publicKey, signature } : null;
}

function readVersion(given: string | string[] | undefined): SignatureVersion | null {
  if (given === undefined || given === "1") return 1;
  return given === "2" ? 2 : null;
}
