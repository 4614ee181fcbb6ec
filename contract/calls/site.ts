import { healthSchema, statsSchema } from "../health.ts";
import { redirectsSchema, seoAnswerSchema, seoBodySchema } from "../site/site.ts";
import type { Call } from "./call.ts";

/** The service itself, and what its pages need. */
export const siteCalls = {
  health: {
    method: "GET",
    path: "/api/v1/health",
    summary: "The service's health, from cached state",
    timeoutMs: 10_000,
    answer: healthSchema,
  },
  healthz: {
    method: "GET",
    path: "/api/v1/healthz",
    summary: "The process is alive; touches nothing",
    timeoutMs: 20_000,
    answer: healthSchema,
  },
  stats: {
    method: "GET",
    path: "/api/v1/stats/public",
    summary: "Figures about the service, null where there is no data yet",
    timeoutMs: 15_000,
    answer: statsSchema,
  },
  seoTexts: {
    method: "POST",
    path: "/dict/seo",
    summary: "The texts of a page's head, as translation keys",
    timeoutMs: 3_000,
    body: seoBodySchema,
    answer: seoAnswerSchema,
  },
  redirects: {
    method: "GET",
    path: "/api/v1/site/redirects",
    summary: "The redirects by path that the server defines",
    timeoutMs: 3_000,
    answer: redirectsSchema,
  },
} as const satisfies Record<string, Call>;
