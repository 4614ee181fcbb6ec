import { isIP } from "node:net";
import { validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { z } from "zod";

/** An area's variables as they were parsed. */
export type Values<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>;

/** What an area needs to know of the process beside its own variables. */
export type Process = { readonly sandbox: boolean; readonly worker: boolean; readonly publicUrl: string };

export type TrustedProxies = false | number | readonly string[];

/** A port, 1 to 65535. */
export function portNumber() {
  return wholeNumber(1, 65_535, "must be a port, a whole number from 1 to 65535");
}

/** A whole number from 1 to 10^9. */
export function count() {
  return wholeNumber(1, 1_000_000_000, "must be a whole number above 0");
}

/** A length of time in seconds; null for off. */
export function duration() {
  return z
    .string()
    .regex(/^(off|[1-9]\d{0,5}\s*[smhd])$/i, "must be off, or a length of time such as 90m, 24h or 7d")
    .transform((text) => {
      const unit = { s: 1, m: 60, h: 3_600, d: 86_400 }[text.at(-1)?.toLowerCase() ?? ""];
      return unit === undefined ? null : Number.parseInt(text, 10) * unit;
    });
}

/** A boolean: `on`, `true`, `1` or `yes`, and their opposites. */
export function flag() {
  return z
    .string()
    .regex(/^(on|off|true|false|1|0|yes|no)$/i, "must be on or off")
    .transform((text) => /^(on|true|1|yes)$/i.test(text));
}

/** Pairs as `eth>btc, btc>xmr`: what is sent, then what arrives. */
export function slugPairs() {
  return z
    .string()
    .regex(/^\s*[a-z0-9-]+>[a-z0-9-]+(\s*,\s*[a-z0-9-]+>[a-z0-9-]+)*\s*$/, "must be pairs such as eth>btc, btc>xmr")
    .transform((text) =>
      text.split(",").map((pair) => {
        const [from = "", to = ""] = pair.trim().split(">");
        return { from, to };
      }),
    );
}

export function hostName() {
  return z
    .string()
    .refine((text) => isIP(text) !== 0 || /^[a-z0-9.-]+$/i.test(text), "must be a host name or an IP address");
}

/** A URL in one of the schemes. It may hold a password, so a message never repeats it. */
export function address(schemes: readonly string[]) {
  const message = `must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`;
  return z.string().refine((text) => schemes.includes(URL.parse(text)?.protocol ?? ""), message);
}

/** One URL or several, separated by commas. A comma that belongs to a password is written as `%2C`. */
export function addresses(schemes: readonly string[]) {
  const one = address(schemes);
  return z.string().transform((text, context): readonly [string, ...string[]] => {
    const [first = "", ...others] = text.split(",").map((part) => part.trim());
    for (const part of [first, ...others]) {
      const parsed = one.safeParse(part);
      if (!parsed.success) for (const { message } of parsed.error.issues) context.addIssue(message);
    }
    return [first, ...others];
  });
}

/** A BIP-32 public key of a main (`xpub`) or test network (`tpub`), by its form alone. */
export function extendedPublicKey() {
  return z.string().regex(/^[xt]pub[1-9A-HJ-NP-Za-km-z]{107,108}$/, "must be an extended public key (xpub…)");
}

/** A mistyped one would become the identity of its networks, with addresses whose phrase nobody has written down. */
export function mnemonicPhrase() {
  return z
    .string()
    .regex(/^[a-z]+( [a-z]+){11,23}$/, "must be 12 to 24 lower-case words with one space between them")
    .refine(
      (text) => validateMnemonic(text, wordlist),
      "must be a BIP-39 phrase of English words: one is mistyped or missing",
    );
}

/** An origin, without the slash that may be written after it. */
export function origin() {
  return z.string().transform((text, context) => {
    const url = URL.parse(text);
    const isOrigin =
      url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(url.href);
    if (isOrigin) return url.origin;
    context.addIssue("must be an origin such as https://example.org, without a path");
    return z.NEVER;
  });
}

/** What this process does: `web` serves requests, `worker` holds keys and does the rest. */
export function roles() {
  return z
    .string()
    .regex(/^\s*(web|worker)\s*(,\s*(web|worker)\s*)*$/, "must be web, worker or web,worker")
    .transform((text) => ({ web: text.includes("web"), worker: text.includes("worker") }));
}

/** Trusting everybody is refused: then anyone names the address that limits and keys see. */
export function trustedProxies() {
  return z.string().transform((text, context): TrustedProxies => {
    if (/^(off|false|no)$/i.test(text)) return false;
    if (/^\d{1,2}$/.test(text)) return Number(text);
    const proxies = text.split(",").map((proxy) => proxy.trim());
    if (proxies.every(isProxy)) return proxies;
    context.addIssue("must be off, a number of hops, or a list of IP addresses and ranges (not all addresses)");
    return z.NEVER;
  });
}

/** The widest range that can be one network: all private addresses, but not half the internet. */
const WIDEST_PREFIX = { 4: 8, 6: 7 };

function isProxy(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [ip = "", prefix, ...rest] = text.split("/");
  const family = isIP(ip);
  if (rest.length > 0 || (family !== 4 && family !== 6)) return false;
  if (prefix === undefined) return true;
  return (
    /^\d{1,3}$/.test(prefix) && Number(prefix) >= WIDEST_PREFIX[family] && Number(prefix) <= (family === 4 ? 32 : 128)
  );
}

/** A whole number within bounds; `message` says what is wrong with another value. */
export function wholeNumber(min: number, max: number, message: string) {
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message);
}
