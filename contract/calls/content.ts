import { contentAnswerSchema, contentParamsSchema, contentQuerySchema } from "../content.ts";
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
} as const satisfies Record<string, Call>;
