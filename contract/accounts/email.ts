import * as z from "zod/mini";

/**
 * spec §5: a normal address pattern; the server stores what is typed, only the form strips a plus sign. Nothing that a
 * mail header reads as a list is in it.
 */
export const emailSchema = z.string().check(
  z.maxLength(254),
  z.regex(
    /^[^\s\p{Cc}\p{Cf}@"<>()[\],;:\\]+@[^\s\p{Cc}\p{Cf}@"<>()[\],;:\\.]+(?:\.[^\s\p{Cc}\p{Cf}@"<>()[\],;:\\.]+)*\.[^\s\p{Cc}\p{Cf}@"<>()[\],;:\\.]{2,63}$/u,
    "must be an email address",
  ),
  // Mail programs decode an encoded word, and show another address.
  z.refine((email) => !email.includes("=?"), "must be an email address"),
  z.refine(hasOneSpelling, "must have a domain in its usual letters"),
);

/** What a mail server would read as another domain (full-width letters and dots, what nobody sees) is counted as another mailbox. */
function hasOneSpelling(email: string): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return domain === domain.normalize("NFKC") && !/[\u3002\p{Default_Ignorable_Code_Point}]/u.test(domain);
}
