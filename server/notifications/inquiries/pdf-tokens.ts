export type PdfToken = {
  readonly kind: "name" | "word" | "string" | "<<" | ">>" | "[" | "]" | "other" | "end";
  readonly text: string;
  readonly end: number;
};

const SLASH = 0x2f;
const HASH = 0x23;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const WHITESPACE = [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20];

/** 1: whitespace, 2: a delimiter, by byte. */
const KINDS = new Uint8Array(256);
for (const byte of WHITESPACE) KINDS[byte] = 1;
for (const byte of Buffer.from("()<>[]{}/%")) KINDS[byte] = 2;

/** Not within a name, a number or a keyword. */
const endsWord = (byte: number | undefined): boolean => byte === undefined || KINDS[byte] !== 0;

const TWO_DIGITS = /^[0-9a-f]{2}$/i;

/**
 * The name at a slash, of which any letter may be written as `#` and its code. Text that is longer than `longest` is cut off one letter
 * after it: such a name is none of those that are looked for.
 */
export function readName(file: Buffer, slash: number, longest: number): PdfToken {
  let text = "";
  let at = slash + 1;
  while (text.length <= longest && !endsWord(file[at])) {
    const code = file[at] === HASH ? file.toString("latin1", at + 1, at + 3) : "";
    const isCode = TWO_DIGITS.test(code);
    text += String.fromCharCode(isCode ? Number.parseInt(code, 16) : (file[at] ?? 0));
    at += isCode ? 3 : 1;
  }
  return { kind: "name", text, end: at };
}

/** Where the next token begins: whitespace and comments are between. */
function skipSpace(file: Buffer, from: number, to: number): number {
  let at = from;
  let isComment = false;
  for (; at < to; at += 1) {
    const byte = file[at] ?? 0;
    if (byte === PERCENT) isComment = true;
    else if (isComment) isComment = byte !== 0x0a && byte !== 0x0d;
    else if (KINDS[byte] !== 1) break;
  }
  return at;
}

/** Where the token before `end` ends, as `skipSpace` finds the next one; `from` where it may be before that. */
export function skipSpaceBack(file: Buffer, end: number, from: number): number {
  let at = end;
  for (;;) {
    let isNextLine = false;
    for (; at > from && KINDS[file[at - 1] ?? 0] === 1; at -= 1) isNextLine ||= isLineEnd(file[at - 1]);
    if (!isNextLine) return at;
    let line = at;
    while (line > from && !isLineEnd(file[line - 1])) line -= 1;
    const comment = file.subarray(line, at).indexOf(PERCENT);
    // A comment may have begun before what is looked at.
    if (comment === -1) return line === from && from > 0 ? from : at;
    at = line + comment;
  }
}

const isLineEnd = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;

/** The next token, which ends before `to`; `end` where there is none. */
export function readToken(file: Buffer, from: number, to: number): PdfToken {
  const at = skipSpace(file, from, to);
  if (at >= to) return { kind: "end", text: "", end: to };
  const byte = file[at] ?? 0;
  if (byte === SLASH) return readName(file, at, to - at);
  if (KINDS[byte] === 0) {
    let end = at;
    while (end < to && !endsWord(file[end])) end += 1;
    return { kind: "word", text: file.toString("latin1", at, end), end };
  }
  const two = file.toString("latin1", at, at + 2);
  if (two === "<<" || two === ">>") return { kind: two, text: two, end: at + 2 };
  const one = two.slice(0, 1);
  if (one === "[" || one === "]") return { kind: one, text: one, end: at + 1 };
  if (one === "(") return { kind: "string", text: "", end: endOfText(file, at, to) };
  if (one === "<") {
    const closing = file.subarray(at, to).indexOf(">");
    return { kind: "string", text: "", end: closing === -1 ? to : at + closing + 1 };
  }
  return { kind: "other", text: one, end: at + 1 };
}

/** Brackets within a text are in pairs, or after a backslash. */
function endOfText(file: Buffer, from: number, to: number): number {
  let depth = 0;
  for (let at = from; at < to; at += 1) {
    if (file[at] === BACKSLASH) at += 1;
    else if (file[at] === 0x28) depth += 1;
    else if (file[at] === 0x29 && (depth -= 1) === 0) return at + 1;
  }
  return to;
}
