import * as z from "zod/mini";
import { LOCALES } from "../locale.ts";
import { emailSchema } from "../accounts/email.ts";

/** The pages about the exchange itself, by their addresses. */
export const PAGE_NAMES = [
  "how-it-works",
  "support",
  "roadmap",
  "affiliate",
  "cashback",
  "wallet",
  "for-competent-authorities",
  "terms",
  "privacy",
  "aml",
] as const;
export type PageName = (typeof PAGE_NAMES)[number];

export const pageParamsSchema = z.object({ locale: z.enum(LOCALES), name: z.enum(PAGE_NAMES) });

/** What a page's text may name as `{{company.name}}`: the operator's own particulars, and figures of the configuration. */
export const PAGE_VALUES = [
  "company.name",
  "company.registration",
  "company.address",
  "email",
  "law",
  "excluded",
  "affiliatePercent",
  "cashbackPercent",
  "withdrawalMin",
  "earningsCoin",
  "rateLockMinutes",
  "documentDays",
  "connectivityHost",
] as const;
export type PageValue = (typeof PAGE_VALUES)[number];

const VALUE = /\{\{([^{}]*)\}\}/g;

/** The names of the values that a text has. */
export const valuesIn = (text: string): string[] => Array.from(text.matchAll(VALUE), ([, name = ""]) => name);

/** A text with its values in their places. */
export const fillValues = (text: string, valueOf: (name: string) => string): string =>
  text.replace(VALUE, (_, name: string) => valueOf(name));

const blockSchema = z.object({ html: z.string(), text: z.string() });
export type BuiltBlock = z.infer<typeof blockSchema>;

const headingSchema = z.object({ id: z.string(), title: z.string() });
/** What the build makes of a page: its paragraphs apart, because one whose value is empty is not shown. */
export const builtPageSchema = z.object({
  title: z.string(),
  description: z.string(),
  updatedAt: z.nullable(z.iso.date()),
  blocks: z.array(blockSchema),
  sections: z.array(
    z.extend(headingSchema, {
      blocks: z.array(blockSchema),
      questions: z.array(z.extend(headingSchema, { blocks: z.array(blockSchema) })),
    }),
  ),
});
export type BuiltPage = z.infer<typeof builtPageSchema>;

const questionSchema = z.object({ id: z.string(), title: z.string(), html: z.string(), text: z.string() });
const sectionSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Sanitised at build time. */
  html: z.string(),
  questions: z.array(questionSchema),
});
export type PageSection = z.infer<typeof sectionSchema>;
export type PageQuestion = z.infer<typeof questionSchema>;

const webAddress = z.url({ protocol: /^https$/, hostname: z.regexes.domain, error: "must be an https:// address" });
const label = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max));

const linkSchema = z.object({ label: label(40), url: webAddress });

/** A rating that others have given: its average on their scale, and where anybody can check it. */
export const ratingSchema = z
  .object({
    source: label(60),
    url: webAddress,
    value: z.string().check(z.regex(/^\d(?:\.\d{1,2})?$/, 'must be a number such as "4.7"')),
    count: z.int().check(z.positive()),
  })
  // The ends of the scale, spec §9.
  .check(
    z.refine(({ value }) => Number(value) >= 1 && Number(value) <= 5, {
      error: "is beside the scale",
      path: ["value"],
    }),
  );
export type Rating = z.infer<typeof ratingSchema>;

/** Whoever runs this exchange, as far as they say. */
export const operatorSchema = z.object({
  company: z.nullable(
    z.object({ name: label(120), registration: z.nullable(label(120)), address: z.nullable(label(240)) }),
  ),
  email: z.nullable(emailSchema),
  links: z.array(linkSchema),
});

export const pageAnswerSchema = z.object({
  title: z.string(),
  description: z.string(),
  updatedAt: z.nullable(z.iso.date()),
  html: z.string(),
  sections: z.array(sectionSchema),
  operator: operatorSchema,
  /** Whether the forms of `/support` and `/for-competent-authorities` reach anybody. */
  hasForms: z.boolean(),
  rating: z.nullable(ratingSchema),
});
export type PageAnswer = z.infer<typeof pageAnswerSchema>;
