/** The first character for a sign in place of a picture; whole, because half of an emoji is another text on the server than in the browser. */
export const firstLetter = (text: string): string => /^./su.exec(text)?.[0] ?? "";
