import type { RedirectRule, RedirectStatus } from "#contract/site.ts";
import type { Api } from "#contract/ssr.ts";
import type { Translator } from "../../shared/i18n/translator.ts";
import type { Address } from "../router/resolve.ts";

/** One visit of an address, on the server or inside the app. */
export type Move = Address & {
  /** Path with its language prefix, query and hash, as they were asked for. */
  readonly asked: string;
};

/** What the account's store tells guards; a guest's is `guest`. */
export type AccountSeam = {
  readonly isAuthorised: boolean;
  /** When account data was last fetched, in milliseconds; null before the first time. */
  readonly fetchedAt: number | null;
  readonly refresh: () => Promise<void>;
};

/** What guards may use of the world around them. */
export type GuardWorld = {
  readonly api: Api;
  readonly words: Translator;
  readonly account: AccountSeam;
  /** Milliseconds. */
  readonly now: number;
  readonly isMiniApp: boolean;
  /** The meta-key check of spec §2, guard 5. */
  readonly isSeoChecked: boolean;
  readonly keepReferral: (referral: string) => void;
  readonly redirects: () => Promise<readonly RedirectRule[]>;
  /** When each page's SEO texts were fetched, for worlds that outlive a request. */
  readonly seoFetchedAt: Map<string, number>;
};

/** To a path with its language prefix, or to a whole URL. */
export type Redirect = { readonly kind: "redirect"; readonly to: string; readonly status: RedirectStatus };

/** Gives a redirect, or null where the visit goes on; what it throws is fatal and shown as an error page. */
export type Guard = (move: Move, world: GuardWorld) => Promise<Redirect | null>;

export const redirectTo = (to: string, status: RedirectStatus = 302): Redirect => ({ kind: "redirect", to, status });

export const guest: AccountSeam = { isAuthorised: false, fetchedAt: null, refresh: async () => undefined };
