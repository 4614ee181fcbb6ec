import type { AnswerOf, AnyCallName, BodyInput, CallName, ParamsInput, QueryInput } from "../calls.ts";
import type { RedirectStatus } from "./site.ts";

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : object extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

/** What a call is given: its params, its query and its body, each required where the call can't do without it. */
export type CallInput<Name extends AnyCallName> = Part<"params", ParamsInput<Name>> &
  Part<"query", QueryInput<Name>> &
  Part<"body", BodyInput<Name>>;

/** Required only where the call needs any of them. */
type CallArguments<Name extends AnyCallName, Input = CallInput<Name>> = object extends Input
  ? [input?: Input]
  : [input: Input];

/** The calls, the same in the browser (over HTTP) and on the server (in-process). Failures are thrown. */
export type Api = {
  call<Name extends CallName>(name: Name, ...input: CallArguments<Name>): Promise<AnswerOf<Name>>;
};

/** How the server carries a call of a page that it renders: the API's own answer, not yet parsed. */
export type InProcessCall = (
  name: CallName,
  input: {
    readonly params?: Readonly<Record<string, string>> | undefined;
    readonly query?: unknown;
    readonly body?: unknown;
  },
) => Promise<{ readonly httpStatus: number; readonly body: unknown }>;

/** The widget's page: the only one that other sites may show in a frame (contract §14). */
const EMBED_PATH = "/embed";

/**
 * Whether a request is for it, by the URL as it was sent: a page at another spelling of its path is the app's own 404, which nobody may
 * frame.
 */
export const isEmbed = (url: string): boolean => url === EMBED_PATH || url.startsWith(`${EMBED_PATH}?`);

/** What a page knows of the server's configuration. */
export type SiteSettings = {
  /** A DNS-over-HTTPS query that is answered wherever there is internet (spec §4, health check cycle). */
  readonly connectivityUrl: string;
  /** Guard 5 fails the page when SEO texts are missing or unreadable. */
  readonly isSeoChecked: boolean;
  readonly isAnalyticsOn: boolean;
  /** The partner whose visitors are asked for an email in mode B (spec §4, exchange flow); null without one. */
  readonly partnerCode: string | null;
  /** The Telegram mini-app and the source repository; no links to them when null. */
  readonly miniAppUrl: string | null;
  readonly sourceUrl: string | null;
  /** Whether coins can be bought and sold by card. */
  readonly isCardTaken: boolean;
  /** How long a fixed rate is locked after an order's creation, in whole minutes rounded down. */
  readonly rateLockMinutes: number;
};

export const DEFAULT_SITE_SETTINGS: SiteSettings = {
  connectivityUrl: "https://cloudflare-dns.com/dns-query?name=example.com",
  isSeoChecked: false,
  isAnalyticsOn: false,
  partnerCode: null,
  miniAppUrl: null,
  sourceUrl: null,
  isCardTaken: false,
  rateLockMinutes: 20,
};

export type RenderRequest = {
  /** Path and query as they were asked for, such as `/ru//exchange-eth-btc/?amount=1`: the guards normalise. */
  readonly url: string;
  /** The canonical origin, PUBLIC_URL without a trailing slash. */
  readonly origin: string;
  /** The business time of the rendering, ISO-8601 UTC: ages on the page count from it. */
  readonly now: string;
  readonly isSandbox: boolean;
  readonly settings: SiteSettings;
  /** What an error page shows of the request outside production (spec §2); null in production. */
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly api: InProcessCall;
  /** The request's cookies open a live session. The page has nothing of the account but that (contract §4). */
  readonly isSignedIn?: boolean;
  /** The answer to a HEAD: status, redirect and cookies are true, nothing is rendered. */
  readonly isStatusOnly?: boolean;
};

export type Rendered = (
  | { readonly redirect: string; readonly status: RedirectStatus }
  | {
      readonly redirect?: undefined;
      readonly status: 200 | 404 | 500 | 503;
      readonly lang: string;
      /** Tags for `<head>`: title, description, canonical, alternates, Open Graph. */
      readonly head: string;
      readonly html: string;
      /** JSON for `<script type="application/json" id="page-data">`, already escaped. */
      readonly data: string;
      /** Source paths of the modules that the browser needs before it hydrates, as keys of the build's manifest. */
      readonly preload: readonly string[];
      /** Source paths of the modules whose styles the page needs, but whose code the browser loads later. */
      readonly styles?: readonly string[];
      /** Nothing of it is rendered for crawlers (spec §2). */
      readonly isErrorPage: boolean;
      /** What went wrong when the status is 500, or 503 for what can't be had for a while, for the log. */
      readonly failure?: unknown;
    }
) & {
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
};

/** What the built `dist/server/ssr.js` exports. */
export type EntryServer = {
  readonly render: (request: RenderRequest) => Promise<Rendered>;
  /**
   * The sitemap's files by path, `/sitemap.xml` and those that it lists: every page that search engines may keep, in every language. Null for
   * one whose pages can't be had for a while.
   */
  readonly sitemap: (
    request: Pick<RenderRequest, "origin" | "api">,
  ) => Promise<Readonly<Record<string, string | null>>>;
};
