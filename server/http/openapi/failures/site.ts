import { HOUR_SECONDS } from "#contract/durations.ts";
import { LOCALES } from "#contract/locale.ts";
import type { contentCalls } from "#contract/calls/content.ts";
import type { inquiryCalls } from "#contract/calls/inquiries.ts";
import type { pageCalls } from "#contract/calls/pages.ts";
import type { siteCalls } from "#contract/calls/site.ts";
import { failure, type FailuresOf, invalid } from "./failure.ts";

type SiteCall = keyof typeof contentCalls | keyof typeof inquiryCalls | keyof typeof pageCalls | keyof typeof siteCalls;

const noArticles = failure(
  "ERR_SERVICE_UNAVAILABLE",
  "Another host has the articles, and doesn't answer",
  "The articles can't be read at the moment",
  { retryAfterSeconds: 30 },
);
const tooManyMessages = failure("ERR_BAD_REQUEST", "Too many in an hour", "Too many messages", {
  httpStatus: 429,
  retryAfterSeconds: HOUR_SECONDS,
});
const notMailed = failure(
  "ERR_SERVICE_UNAVAILABLE",
  'It was not sent; `data.delivery` is "unknown" where it may have been',
  "The message could not be mailed",
  { data: { delivery: "failed" } },
);
const badSection = invalid("section", 'Invalid option: expected one of "blog"|"docs"');
const badMessage = invalid("message", "must have at least 10 characters");

export const siteFailures: FailuresOf<SiteCall> = {
  health: [],
  healthz: [failure("ERR_SERVICE_UNAVAILABLE", "Send requests to another process", "This process is about to stop")],
  stats: [],
  seoTexts: [
    invalid("params.page", "is missing"),
    failure("ERR_NOT_FOUND", "There is no such page", "No page has this name"),
  ],
  redirects: [],
  content: [
    badSection,
    failure("ERR_NOT_FOUND", "There is no such article", "No article has this address in this language"),
    noArticles,
  ],
  searchIndex: [badSection, noArticles],
  page: [
    invalid("locale", `Invalid option: expected one of ${LOCALES.map((locale) => `"${locale}"`).join("|")}`),
    failure("ERR_NOT_FOUND", "The server runs from sources that are not built", "The pages are not built"),
  ],
  contact: [badMessage, tooManyMessages, notMailed],
  authorityRequest: [
    badMessage,
    failure("ERR_VALIDATION", "The file can't be used", "The file can't be used", { data: { file: "format" } }),
    tooManyMessages,
    notMailed,
  ],
};
