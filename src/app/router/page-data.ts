import type { HealthStatus } from "#contract/health.ts";
import type { SiteSettings } from "#contract/site/ssr.ts";
import { localStore } from "../../shared/browser/storage.ts";
import type { Messages } from "../../shared/i18n/create-i18n.ts";
import type { PageError } from "./page-error.ts";

/** What every page of the site knows of the server. */
export type Site = { readonly isSandbox: boolean; readonly settings: SiteSettings };

/** What the server passes to the browser so that both render the same first page. */
export type PageData = Site & {
  readonly now: string;
  readonly isSignedIn: boolean;
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

export const SITE_KEY = "site";

/** For the offline shell, which the server gives nothing. */
export const saveSite = ({ isSandbox, settings }: Site): void =>
  localStore.set(SITE_KEY, JSON.stringify({ isSandbox, settings }));

/** Null in the offline shell, which contains no page. */
export function readPageData(): PageData | null {
  const text = document.getElementById("page-data")?.textContent;
  return text ? (JSON.parse(text) as PageData) : null;
}
