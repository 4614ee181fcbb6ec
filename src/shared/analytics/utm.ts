import type { UtmRecord } from "./utm-record.ts";

const params = ["source", "medium", "campaign", "term", "content"] as const;

/** What a visit is told by its browser. */
export type Visitor = {
  readonly url: string;
  readonly referrer: string;
  readonly userAgent: string;
  readonly language: string;
  readonly screenSize: string;
  readonly sessionId: string;
  /** Milliseconds. */
  readonly now: number;
};

const MAX = 512;
/** Of a landing address only these are kept: a query may hold an address, and an order's path opens the order. */
const KEPT_QUERY = [...params.map((name) => `utm_${name}`), "gclid", "gad_source", "ref"];

/** The record of a visit; nothing in it names a person, an address or an order. */
export function utmRecord(visitor: Visitor): UtmRecord {
  const url = new URL(visitor.url);
  const named = (name: string) => url.searchParams.get(name)?.slice(0, MAX) || undefined;
  const given = <K extends string>(name: K, value: string | undefined) =>
    (value === undefined ? {} : { [name]: value }) as { [N in K]?: string };
  return {
    timestamp: visitor.now,
    utmParams: Object.assign({}, ...params.map((name) => given(name, named(`utm_${name}`)))) as UtmRecord["utmParams"],
    additionalInfo: {
      referrer: foreignOrigin(visitor.referrer, url.origin),
      userAgent: visitor.userAgent.slice(0, MAX),
      language: visitor.language.slice(0, MAX),
      landingUrl: landingUrl(url).slice(0, MAX),
      screenSize: visitor.screenSize,
    },
    sessionId: visitor.sessionId,
    ...given("gclid", named("gclid")),
    ...given("gad_source", named("gad_source")),
  };
}

function landingUrl({ origin, pathname, searchParams }: URL): string {
  const path = pathname.replace(/^((?:\/ru)?\/order)\/.*$/, "$1");
  const kept = new URLSearchParams([...searchParams].filter(([name]) => KEPT_QUERY.includes(name)));
  return origin + path + (kept.size === 0 ? "" : `?${kept}`);
}

function foreignOrigin(referrer: string, own: string): string {
  const origin = URL.parse(referrer)?.origin ?? "";
  return origin === own || origin === "null" ? "" : origin;
}

/** Whether a visit came by a campaign, so that its record replaces the last one. */
export const isCampaign = ({ utmParams, gclid, gad_source }: UtmRecord): boolean =>
  Object.keys(utmParams).length > 0 || gclid !== undefined || gad_source !== undefined;
