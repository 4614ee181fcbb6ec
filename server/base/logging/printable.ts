/** What a terminal obeys, or would show in another order than it is written; lines stay lines. */
const ACTING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text for a terminal with its control and invisible characters written out: a partner, a node or a customer may have chosen them. */
export const printable = (text: string): string =>
  text.replace(ACTING, (found) => (found === "\n" ? found : `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`));
