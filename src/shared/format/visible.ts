/** Control characters, and those that are not seen but reorder, join or hide what stands beside them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A foreign text with its invisible characters written out, as `⟨U+202E⟩`: what is read is what is there. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, (found) => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
