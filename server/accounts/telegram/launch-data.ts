import { createHmac, createPublicKey, timingSafeEqual, verify, type KeyObject } from "node:crypto";
import * as z from "zod";

/** How old launch data may be, and how far its clock may be ahead of ours (contract §4). */
const OLDEST_SECONDS = 3600;
const SKEW_SECONDS = 60;

/** The DER prefix of a raw Ed25519 key. */
const ED25519_PREFIX = "302a300506032b6570032100";

/** A bot by its token, or by its id alone in a process that must not hold the token: then Telegram's public key, in hex, decides. */
export type Bot = { readonly token: string } | { readonly id: string; readonly publicKey: string };

type LaunchUser = { readonly telegramId: bigint; readonly languageCode: string | null };
export type Launch = {
  readonly user: LaunchUser;
  readonly botId: string;
  /** When Telegram signed it, by its clock. */
  readonly signedAt: Date;
  /** Tells this launch from every other one; nobody but Telegram can make another for the same launch. */
  readonly proof: string;
};

const fieldsSchema = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.string().optional(),
  auth_date: z.string().regex(/^[1-9]\d{0,11}$/),
  user: z.string(),
});

/** 64 bytes, written in the one way that leaves no bit unused: another spelling must not look like another launch. */
const SIGNATURE = /^[A-Za-z0-9_-]{85}[AQgw]$/;

const userSchema = z.object({
  id: z.int().positive(),
  is_bot: z.boolean().optional(),
  language_code: z.string().max(35).optional(),
});

/**
 * Who launched the app, by Telegram's `initData` (contract §4): its hash (with a bot's token) or its signature (with its id alone)
 * must be Telegram's, and it may be an hour old at most. Null for everything refused, without a reason: it would help a forger.
 */
export function readLaunchData(initData: string, bot: Bot, now: Date): Launch | null {
  const pairs = [...new URLSearchParams(initData)];
  const given = fieldsSchema.safeParse(Object.fromEntries(pairs));
  if (!given.success || new Set(pairs.map(([name]) => name)).size !== pairs.length) return null;
  const { hash, signature, auth_date: authDate, user } = given.data;
  const isSigned = signature !== undefined && SIGNATURE.test(signature);
  const isGenuine =
    "token" in bot ? hasOurHash(pairs, hash, bot.token) : isSigned && hasTelegramsSignature(pairs, signature, bot);
  const age = now.getTime() / 1000 - Number(authDate);
  if (!isGenuine || age > OLDEST_SECONDS || age < -SKEW_SECONDS) return null;
  const launcher = readUser(user);
  if (launcher === null) return null;
  // The hash is a proof only where it was checked; a signature is one in either case, because the hash covers it.
  const botId = "token" in bot ? botIdOf(bot.token) : bot.id;
  return { user: launcher, botId, signedAt: new Date(Number(authDate) * 1000), proof: isSigned ? signature : hash };
}

const botIdOf = (token: string): string => token.split(":", 1)[0] ?? token;

type Pairs = readonly (readonly [name: string, value: string])[];

function hasOurHash(pairs: Pairs, hash: string, token: string): boolean {
  const secret = createHmac("sha256", "WebAppData").update(token).digest();
  const expected = createHmac("sha256", secret)
    .update(checkString(pairs, ["hash"]))
    .digest();
  return timingSafeEqual(expected, Buffer.from(hash, "hex"));
}

function hasTelegramsSignature(
  pairs: Pairs,
  signature: string,
  { id, publicKey }: { id: string; publicKey: string },
): boolean {
  const message = `${id}:WebAppData\n${checkString(pairs, ["hash", "signature"])}`;
  return verify(null, Buffer.from(message), keyObject(publicKey), Buffer.from(signature, "base64url"));
}

const checkString = (pairs: Pairs, leftOut: readonly string[]): string =>
  pairs
    .filter(([name]) => !leftOut.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");

const keyObject = (publicKey: string): KeyObject =>
  createPublicKey({ key: Buffer.from(ED25519_PREFIX + publicKey, "hex"), format: "der", type: "spki" });

function readUser(text: string): LaunchUser | null {
  const user = userSchema.safeParse(parsed(text));
  if (!user.success || user.data.is_bot === true) return null;
  return { telegramId: BigInt(user.data.id), languageCode: user.data.language_code ?? null };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
