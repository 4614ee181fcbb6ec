import * as z from "zod/mini";
import { LOCALES } from "../locale.ts";

/** Body of `POST /dict/seo` (spec §2, guard 5): the page's name; English unless it says otherwise. */
export const seoBodySchema = z.object({
  params: z.object({
    page: z.string().check(z.maxLength(64)),
    locale: z.optional(z.enum(LOCALES)),
  }),
});

/** Translation keys and their texts; those under `openGraph` and `twitter` are JSON. */
export const seoAnswerSchema = z.record(z.string(), z.string());

const REDIRECT_STATUSES = [301, 302, 303, 307, 308] as const;
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];
/** spec §9 */
const DEFAULT_REDIRECT_STATUS: RedirectStatus = 302;

const OWN_PATH = /^\/(?![/\\])[^\s\\]*$/;
/** As guard 4 leaves a path, without language prefix, query and hash. */
const NORMAL_PATH = /^\/(?:[^\s/?#\\]+(?:\/[^\s/?#\\]+)*)?$/;
const isAbsolute = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** A server-defined redirect (spec §2, guard 6): from a path without language prefix to another one, or to a whole URL. */
const redirectRuleSchema = z.object({
  from: z.string().check(z.regex(NORMAL_PATH, "must be a path such as /old, without query and slash at its end")),
  to: z
    .string()
    .check(z.refine((text) => OWN_PATH.test(text) || isAbsolute(text), "must be a path or a whole http(s) URL")),
  status: z._default(z.literal(REDIRECT_STATUSES), DEFAULT_REDIRECT_STATUS),
});
export type RedirectRule = z.output<typeof redirectRuleSchema>;

export const redirectsSchema = z.array(redirectRuleSchema);
