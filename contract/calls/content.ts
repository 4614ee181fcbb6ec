import { contentAnswerSchema, contentParamsSchema, contentQuerySchema, searchIndexSchema } from "../site/content.ts";
import type { Call } from "./call.ts";

/** Articles of the blog and the docs (contract §12). */
export const contentCalls = {
  content: {
    method: "GET",
    path: "/content/:section/:locale",
    summary: "The articles of the blog or the docs in one language; with a slug, that article",
    timeoutMs: 10_000,
    params: contentParamsSchema,
    query: contentQuerySchema,
    answer: contentAnswerSchema,
  },
  searchIndex: {
    method: "GET",
    path: "/content/:section/:locale/search-index",
    summary: "The search index of the blog or the docs in one language, as MiniSearch writes it",
    timeoutMs: 10_000,
    params: contentParamsSchema,
    answer: searchIndexSchema,
  },
} as const satisfies Record<string, Call>;
