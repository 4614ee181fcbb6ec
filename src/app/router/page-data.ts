import type { HealthStatus } from "#contract/health-call.ts";
import type { SiteSettings } from "#contract/site-settings.ts";

/** What the server hands to the browser so that both render the same first page. */
export type PageData = {
  readonly now: string;
  readonly isSandbox: boolean;
  readonly settings: SiteSettings;
  readonly health: HealthStatus;
  /** What an error page shows of the request; null in production. */
  readonly shownHeaders: Readonly<Record<string, string>> | null;
  readonly outcome:
    | { readonly kind: "page"; readonly status: 200 | 404; readonly data: unknown }
    | { readonly kind: "notFound"; readonly message: string }
    | { readonly kind: "failed"; readonly error: Failure };
};

/** As much of a failure as may be shown. */
export type Failure = {
  readonly status: number;
  /** What the service said, in English; null where it must not be told. */
  readonly message: string | null;
  readonly code: string | null;
  readonly traceId: string | null;
  readonly isUnreachable: boolean;
};

/** JSON that can stand inside a script element. */
export const writePageData = (data: PageData): string =>
  JSON.stringify(data)
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");

/** Null in the shell of a visit without a network, which holds no page. */
export function readPageData(): PageData | null {
  const text = document.getElementById("page-data")?.textContent;
  return text ? (JSON.parse(text) as PageData) : null;
}
