import { pageAnswerSchema, pageParamsSchema } from "../site/pages.ts";
import type { Call } from "./call.ts";

/** The pages about the exchange itself (contract §12). */
export const pageCalls = {
  page: {
    method: "GET",
    path: "/content/pages/:locale/:name",
    summary: "A page about the exchange itself, with the operator’s particulars in it",
    timeoutMs: 10_000,
    params: pageParamsSchema,
    answer: pageAnswerSchema,
  },
} as const satisfies Record<string, Call>;
