import { splitLocale } from "#contract/locale.ts";
import { fitsUtmData } from "#contract/utm-limit.ts";
import { readCookie } from "../browser/cookies.ts";
import { savedRandomHex } from "../browser/random-hex.ts";
import { localStore, sessionStore } from "../browser/storage.ts";

/** Where the browser keeps the UTM record. */
export const UTM_KEY = "wherry-utm";

const params = ["source", "medium", "campaign", "term", "content"] as const;

/** What a browser says of a visit. */
type Visitor = {
  readonly url: string;
  readonly referrer: string;
  readonly userAgent: string;
  readonly language: string;
  readonly screenSize: string;
  readonly sessionId: string;
  /** Milliseconds. */
  readonly now: number;
};

/** The texts of a record are cut alike until it fits: an order with a larger one would be refused. */
const TEXT_LENGTHS = [512, 256, 128, 64, 32, 16] as const;
/** Of a landing address only these are kept: a query may hold an address, and an order's path opens the order. */
const KEPT_QUERY = [...params.map((name) => `utm_${name}`), "gclid", "gad_source", "ref"];

/**
 * The record of a visit, as `readUtmRecord` reads it; nothing in it names a person, an address or an order.
 * @internal
 */
export function utmRecord(visitor: Visitor) {
  const records = TEXT_LENGTHS.map((length) => recordOf(visitor, length));
  return records.find(fitsUtmData) ?? recordOf(visitor, 0);
}

function recordOf(visitor: Visitor, max: number) {
  const url = new URL(visitor.url);
  const named = (name: string) => url.searchParams.get(name)?.slice(0, max) || undefined;
  const given = <K extends string>(name: K, value: string | undefined) =>
    (value === undefined ? {} : { [name]: value }) as { [N in K]?: string };
  return {
    timestamp: visitor.now,
    utmParams: Object.assign({}, ...params.map((name) => given(name, named(`utm_${name}`)))) as {
      [Name in (typeof params)[number]]?: string;
    },
    additionalInfo: {
      referrer: foreignOrigin(visitor.referrer, url.origin).slice(0, max),
      userAgent: visitor.userAgent.slice(0, max),
      language: visitor.language.slice(0, max),
      landingUrl: landingUrl(url).slice(0, max),
      screenSize: visitor.screenSize,
    },
    sessionId: visitor.sessionId,
    ...given("gclid", named("gclid")),
    ...given("gad_source", named("gad_source")),
  };
}

function landingUrl({ origin, pathname, searchParams }: URL): string {
  // An order's path opens the order.
  const [, secret = ""] = /^\/order(\/.*)$/.exec(splitLocale(pathname).path) ?? [];
  const path = pathname.slice(0, pathname.length - secret.length);
  const kept = new URLSearchParams([...searchParams].filter(([name]) => KEPT_QUERY.includes(name)));
  return origin + path + (kept.size === 0 ? "" : `?${kept}`);
}

function foreignOrigin(referrer: string, own: string): string {
  const origin = URL.parse(referrer)?.origin ?? "";
  return origin === own || origin === "null" ? "" : origin;
}

/** Whether a visit came by a campaign, so that its record replaces the last one. */
const isCampaign = ({ utmParams, gclid, gad_source }: ReturnType<typeof utmRecord>): boolean =>
  Object.keys(utmParams).length > 0 || gclid !== undefined || gad_source !== undefined;

const FIRST_COOKIE = "firstVisitUtm";
/** spec §9 */
const FIRST_VISIT_SECONDS = 720 * 3_600;

/** Records where a visit came from (spec §3): the newest campaign in the browser's storage, the first visit's in a cookie. */
export function recordPageView(now = Date.now(), url = location.href): void {
  const record = utmRecord({
    url,
    referrer: document.referrer,
    userAgent: navigator.userAgent,
    language: navigator.language,
    screenSize: `${screen.width}x${screen.height}`,
    sessionId: sessionId(),
    now,
  });
  if (isCampaign(record) || localStore.get(UTM_KEY) === null) localStore.set(UTM_KEY, JSON.stringify(record));
  if (readCookie(FIRST_COOKIE) !== null) return;
  const { timestamp, utmParams, gclid, gad_source } = record;
  const first = encodeURIComponent(JSON.stringify({ timestamp, utmParams, gclid, gad_source }));
  document.cookie = `${FIRST_COOKIE}=${first}; Max-Age=${FIRST_VISIT_SECONDS}; Path=/; SameSite=Lax`;
}

/** Random, for one tab's visit. */
export const sessionId = (): string => savedRandomHex(sessionStore, "wherry-session");
