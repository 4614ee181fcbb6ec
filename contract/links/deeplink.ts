import { orderPath } from "./order-path.ts";
import { percentDecoded } from "./percent-decoding.ts";

/** A start parameter may hold no more, and nothing but `[A-Za-z0-9_-]` (contract §5). */
const MAX_DEEPLINK = 512;

const SEPARATOR = "___";

type Prefix = { readonly path: string; readonly argument: RegExp };

/** A segment of a path: without dot, slash and colon it can name no other folder, host or scheme. */
const WORD = /^[A-Za-z0-9_-]+$/;
const NOTHING = /^$/;
const WORD_OR_NOTHING = /^[A-Za-z0-9_-]*$/;

const PREFIXES = {
  ex: { path: "/exchange-", argument: WORD },
  price: { path: "/price/", argument: WORD_OR_NOTHING },
  blog: { path: "/blog/", argument: WORD_OR_NOTHING },
  docs: { path: "/docs/", argument: WORD_OR_NOTHING },
  wallet: { path: "/wallet/", argument: WORD_OR_NOTHING },
  api: { path: "/swap-api/", argument: WORD_OR_NOTHING },
  widget: { path: "/widget/", argument: WORD_OR_NOTHING },
  cashback: { path: "/cashback/", argument: WORD_OR_NOTHING },
  how: { path: "/how-it-works/", argument: WORD_OR_NOTHING },
  law: { path: "/for-competent-authorities/", argument: WORD_OR_NOTHING },
  aff: { path: "/affiliate", argument: NOTHING },
  me: { path: "/profile/", argument: WORD },
  ref: { path: "/?ref=", argument: WORD },
} as const satisfies Record<string, Prefix>;

const prefixes: ReadonlyMap<string, Prefix> = new Map(Object.entries(PREFIXES));

const PENDING = "pending";
const ORDER_ID = /^[A-Za-z0-9]{22,}$/;
const ORDER_PATH = /^\/order\/([^/?]+)(?:\?destinationAddress=([^&]+))?$/;
/** Starts an address that a start parameter can't hold as it is. */
const ENCODED = "_";
const CONTROL = /\p{Cc}/u;

/**
 * The page of this site that a Telegram start parameter `code___argument` names (contract §5), as a path with its query.
 * Null for an unknown code or a malformed argument: the caller opens `/` and says so.
 */
export function readDeeplink(parameter: string): string | null {
  if (parameter.length > MAX_DEEPLINK || !WORD.test(parameter)) return null;
  const [code, argument] = splitOnce(parameter);
  if (code === "order") return readOrder(argument);
  const prefix = prefixes.get(code);
  return prefix?.argument.test(argument) === true ? prefix.path + argument : null;
}

/** Whose link a Telegram start parameter is (contract §5): the id of a referrer, known or not; null for any other parameter. */
export function deeplinkReferrer(parameter: string): string | null {
  const path = readDeeplink(parameter);
  return path?.startsWith(PREFIXES.ref.path) === true ? path.slice(PREFIXES.ref.path.length) : null;
}

/** The page that a referrer's link opens. */
export const referralPath = (referrerId: string): string => PREFIXES.ref.path + encodeURIComponent(referrerId);

/**
 * The start parameter that opens this path, the other way of `readDeeplink`: an order is
 * `/order/{id}?destinationAddress={address}`. Null for a page without a code, and for what doesn't fit into 512
 * characters.
 */
function deeplinkTo(path: string): string | null {
  const parameter = path.startsWith("/order/") ? orderParameter(path) : pageParameter(path);
  return parameter !== null && parameter.length <= MAX_DEEPLINK ? parameter : null;
}

/**
 * The link that opens a page (a path without language prefix) in the Telegram mini-app: `https://t.me/bot?startapp=…`
 * (contract §5). Null for a page without a start parameter, and where no mini-app is configured.
 */
export function deeplinkUrl(path: string, miniAppUrl: string | null): string | null {
  const parameter = deeplinkTo(path);
  if (parameter === null || miniAppUrl === null || !URL.canParse(miniAppUrl)) return null;
  const url = new URL(miniAppUrl);
  if (url.origin !== "https://t.me") return null;
  url.searchParams.set("startapp", parameter);
  return url.href;
}

function readOrder(argument: string): string | null {
  if (argument === PENDING) return `/order/${PENDING}`;
  const [id, written] = splitOnce(argument);
  const address = readAddress(written);
  if (!ORDER_ID.test(id) || address === null) return null;
  return orderPath(id, address);
}

function orderParameter(path: string): string | null {
  const [, id = "", query] = ORDER_PATH.exec(path) ?? [];
  if (id === PENDING && query === undefined) return `order${SEPARATOR}${PENDING}`;
  const address = query === undefined ? null : percentDecoded(query);
  if (!ORDER_ID.test(id) || address === null || CONTROL.test(address)) return null;
  return ["order", id, writeAddress(address)].join(SEPARATOR);
}

function pageParameter(path: string): string | null {
  for (const [code, prefix] of prefixes) {
    const argument = path.startsWith(prefix.path) ? path.slice(prefix.path.length) : null;
    if (argument !== null && prefix.argument.test(argument))
      return argument === "" ? code : code + SEPARATOR + argument;
  }
  return null;
}

const readAddress = (written: string): string | null => {
  if (!written.startsWith(ENCODED)) return written === "" ? null : written;
  const address = fromBase64Url(written.slice(ENCODED.length));
  return address === null || address === "" || CONTROL.test(address) ? null : address;
};

/** An address that begins like an encoded one is encoded too, so that each can be read in one way. */
const writeAddress = (address: string): string =>
  WORD.test(address) && !address.startsWith(ENCODED) ? address : ENCODED + toBase64Url(address);

/** Only the first separator divides: TON addresses hold underscores of their own. */
function splitOnce(text: string): [before: string, after: string] {
  const at = text.indexOf(SEPARATOR);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + SEPARATOR.length)];
}

function toBase64Url(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Null for what is no base64url of UTF-8, or not the only way to write it. */
function fromBase64Url(written: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(written.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return toBase64Url(text) === written ? text : null;
  } catch {
    return null;
  }
}
