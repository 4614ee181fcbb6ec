/**
 * An email as it is compared: without case and in the usual letters, character by character, as the database's `folded_email` does. What is
 * counted under it is one for all spellings that find one account.
 */
export const foldedEmail = (email: string): string =>
  Array.from(email.normalize("NFKC"), (letter) => (letter === "\u0130" ? "i" : letter.toLowerCase()))
    .join("")
    .replaceAll("\u03c2", "\u03c3");
