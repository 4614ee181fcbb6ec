import type { HealthStatus } from "#contract/health.ts";
import type { SiteSettings } from "#contract/site/ssr.ts";
import { localStore } from "../../shared/browser/storage.ts";
import type { Messages } from "../../shared/i18n/create-i18n.ts";
import type { PageError } from "./page-error.ts";

/** What the server passes to the browser so that both render the same first page. */
export type PageData = {
  readonly now: string;
  readonly isSandbox: boolean;
  readonly isSignedIn: boolean;
  readonly settings: SiteSettings;
  /** Of the namespaces that this page uses, in its language. */
  readonly messages: Partial<Messages>;
  readonly health: HealthStatus;
  /** The request's headers, for an error page; null in production. */
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly result:
    | { readonly kind: "page"; readonly status: 200 | 404; readonly data: unknown }
    | { readonly kind: "notFound"; readonly message: string }
    | { readonly kind: "failed"; readonly error: PageError };
};

/** JSON, escaped for a script element. */
export const writePageData = (data: object): string =>
  JSON.stringify(data)
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");

export const RATE_LOCK_KEY = "rate-lock-minutes";

/** For the offline shell, which gets no settings. */
export const saveRateLock = ({ rateLockMinutes }: SiteSettings): void =>
  localStore.set(RATE_LOCK_KEY, JSON.stringify(rateLockMinutes));

/** Null in the offline shell, which contains no page. */
export function readPageData(): PageData | null {
  const text = document.getElementById("page-data")?.textContent;
  return text ? (JSON.parse(text) as PageData) : null;
}
