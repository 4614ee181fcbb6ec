import {
  articleAnswerSchema,
  articleListQuerySchema,
  articleListSchema,
  articleQuerySchema,
  contentParamsSchema,
} from "../content.ts";
import type { Call } from "./call.ts";

/** Articles of the blog and the docs (contract §12). */
export const contentCalls = {
  articles: {
    method: "GET",
    path: "/content/:section/:locale",
    summary: "The articles of the blog or the docs in one language",
    timeoutMs: 10_000,
    params: contentParamsSchema,
    query: articleListQuerySchema,
    answer: articleListSchema,
  },
  article: {
    method: "GET",
    path: "/content/:section/:locale/article",
    summary: "One article, with the languages that have it and related ones",
    timeoutMs: 10_000,
    params: contentParamsSchema,
    query: articleQuerySchema,
    answer: articleAnswerSchema,
  },
} as const satisfies Record<string, Call>;
