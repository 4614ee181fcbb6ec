import * as z from "zod/mini";
import { LOCALES } from "../locale.ts";
import { emailSchema } from "../accounts/email.ts";
import { MAX_INQUIRY_FILE_BYTES, MAX_INQUIRY_TEXT } from "./inquiry-limits.ts";

const MIN_INQUIRY_TEXT = 10;

/** What a person types in lines: no control characters, of which a mail or a database would make something else. */
const NO_CONTROLS = "must have no control characters";
const LINES = /^(?:[\n\r\t]|[^\p{Cc}\p{Cs}])*$/u;
const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;

const messageSchema = z
  .string()
  .check(z.trim(), z.minLength(MIN_INQUIRY_TEXT), z.maxLength(MAX_INQUIRY_TEXT), z.regex(LINES, NO_CONTROLS));

/** An order's eight characters, `7KQ4-M2XD`, however they are typed; empty for none. */
const referenceSchema = z._default(
  z
    .string()
    .check(
      z.trim(),
      z.toUpperCase(),
      z.regex(/^(?:[0-9A-Z]{4}[- ]?[0-9A-Z]{4})?$/, "must be a reference such as 7KQ4-M2XD"),
    ),
  "",
);

const localeSchema = z.enum(LOCALES);

/** What the contact form of `/support` sends; the app trims the email. */
export const contactBodySchema = z.object({
  email: emailSchema,
  reference: referenceSchema,
  message: messageSchema,
  locale: localeSchema,
});

const line = (max: number) =>
  z.string().check(z.trim(), z.minLength(2), z.maxLength(max), z.regex(ONE_LINE, NO_CONTROLS));

/** What the form of `/for-competent-authorities` sends, as `multipart/form-data`. */
export const authorityBodySchema = z.object({
  authority: line(200),
  officer: line(120),
  email: emailSchema,
  message: messageSchema,
  locale: localeSchema,
  file: z.file({ error: "missing" }).check(z.minSize(1, "missing"), z.maxSize(MAX_INQUIRY_FILE_BYTES, "size")),
});
export type AuthorityBody = z.output<typeof authorityBodySchema>;
export type ContactBody = z.output<typeof contactBodySchema>;

/** The number under which the message was mailed. */
export const inquiryAnswerSchema = z.object({ reference: z.string() });
