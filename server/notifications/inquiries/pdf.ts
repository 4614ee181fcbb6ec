import { setImmediate } from "node:timers/promises";
import { readName, readToken, skipSpaceBack, type PdfToken } from "./pdf-tokens.ts";

/** Actions and embedded files that no letter needs, wherever they stand. */
const ACTIVE = new Set([
  "JavaScript",
  "JS",
  "Launch",
  "EmbeddedFile",
  "EmbeddedFiles",
  "RichMedia",
  "RichMediaExecute",
  "XFA",
  "SubmitForm",
  "ImportData",
  "GoToR",
  "GoToE",
  "GoTo3DView",
  "Rendition",
  "Movie",
  "Sound",
]);
const OPENS = "OpenAction";
/** What happens with no click: a page is shown, the document closed. */
const ADDITIONAL = "AA";
const LONGEST = 16;
const SLASH = 0x2f;

/** Bytes between which other work goes on: a few milliseconds at most. */
const SLICE_BYTES = 32 * 1_024;
/** An action of ours to judge is a line. */
const ACTION_BYTES = 2_048;
const ACTION_TOKENS = 64;
/** So many are looked at closely: a document has one opening action for each of its versions, and hardly any of the others. */
const MAX_LOOKED_AT = 256;

/** What was met so far: the objects that are opening actions, those of them that were seen, and how much was looked at. */
type Findings = { referred: Set<string>; found: Set<string>; lookedAt: number };

/**
 * Whether a PDF visibly does something when it is opened, or has a file or a program in it. Showing a page is nothing, and neither is a link
 * that waits for a click. What compressed parts hold is not seen; an opening action that can't be read counts as one.
 */
export async function isActivePdf(file: Buffer): Promise<boolean> {
  const findings: Findings = { referred: new Set(), found: new Set(), lookedAt: 0 };
  for (let from = 0; from < file.length; from += SLICE_BYTES) {
    if (hasActiveName(file, from, findings)) return true;
    await setImmediate();
  }
  if (findings.referred.size === 0) return false;
  for (let from = 0; from < file.length; from += SLICE_BYTES) {
    if (hasActiveObject(file, from, findings)) return true;
    await setImmediate();
  }
  return findings.found.size < findings.referred.size;
}

/** Of the names that begin in a slice. Notes the objects that are opening actions. */
function hasActiveName(file: Buffer, from: number, findings: Findings): boolean {
  const to = Math.min(file.length, from + SLICE_BYTES);
  for (let at = from; at < to; at += 1) {
    if (file[at] !== SLASH) continue;
    const name = readName(file, at, LONGEST);
    if (ACTIVE.has(name.text)) return true;
    at = name.end - 1;
    if (name.text !== ADDITIONAL && name.text !== OPENS) continue;
    if ((findings.lookedAt += 1) > MAX_LOOKED_AT) return true;
    const reference = readReference(file, name.end);
    if (name.text === ADDITIONAL) {
      // Two letters alone are in compressed data too.
      if (reference !== null || next(file, name.end).kind === "<<") return true;
    } else if (reference !== null) findings.referred.add(reference);
    else if (!isHarmless(file, name.end)) return true;
  }
  return false;
}

const OBJECT = Buffer.from("obj");
/** The longest number of an object and its generation, with spaces and comments around them. */
const HEAD_BYTES = 4_096;

/** Of the objects whose `obj` begins in a slice. */
function hasActiveObject(file: Buffer, from: number, findings: Findings): boolean {
  const to = Math.min(file.length, from + SLICE_BYTES);
  const slice = file.subarray(0, Math.min(file.length, to + OBJECT.length - 1));
  for (let at = slice.indexOf(OBJECT, from); at !== -1; at = slice.indexOf(OBJECT, at + OBJECT.length)) {
    const key = readHead(file, at);
    if (key === "too long") return true;
    if (key === null || !findings.referred.has(key)) continue;
    if ((findings.lookedAt += 1) > MAX_LOOKED_AT || !isHarmless(file, at + OBJECT.length)) return true;
    findings.found.add(key);
  }
  return false;
}

/** The number and the generation before an object's `obj`, as `7 0`; null where it is none. */
function readHead(file: Buffer, end: number): string | null {
  const from = Math.max(0, end - HEAD_BYTES);
  const generationEnd = skipSpaceBack(file, end, from);
  const generationAt = skipDigitsBack(file, generationEnd, from);
  const numberEnd = skipSpaceBack(file, generationAt, from);
  const numberAt = skipDigitsBack(file, numberEnd, from);
  if (numberAt === from && from > 0) return "too long";
  if (generationAt === generationEnd || numberEnd === generationAt || numberAt === numberEnd) return null;
  const [number, generation] = [
    file.toString("latin1", numberAt, numberEnd),
    file.toString("latin1", generationAt, generationEnd),
  ];
  return `${Number(number)} ${Number(generation)}`;
}

function skipDigitsBack(file: Buffer, end: number, from: number): number {
  let at = end;
  while (at > from && isDigit(file[at - 1])) at -= 1;
  return at;
}

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;

const next = (file: Buffer, from: number): PdfToken =>
  readToken(file, from, Math.min(file.length, from + ACTION_BYTES));

/** The object that is referred to, as `7 0 R`. */
function readReference(file: Buffer, from: number): string | null {
  const number = next(file, from);
  if (number.kind !== "word" || !/^\d+$/.test(number.text)) return null;
  const generation = next(file, number.end);
  if (generation.kind !== "word" || !/^\d+$/.test(generation.text)) return null;
  return next(file, generation.end).text === "R" ? `${Number(number.text)} ${Number(generation.text)}` : null;
}

/** A place in the document, or an action that goes to one and to nothing after it. */
function isHarmless(file: Buffer, from: number): boolean {
  const first = next(file, from);
  if (first.kind === "[" || first.text === "null") return true;
  if (first.kind !== "<<") return false;
  const to = Math.min(file.length, from + ACTION_BYTES);
  let depth = 1;
  let kinds = 0;
  let { end } = first;
  for (let count = 0; count < ACTION_TOKENS; count += 1) {
    const token = readToken(file, end, to);
    ({ end } = token);
    if (token.kind === "<<") depth += 1;
    if (token.kind === ">>" && (depth -= 1) === 0) return kinds === 1;
    if (token.kind === "end" || (token.kind === "name" && token.text === "Next")) return false;
    if (token.kind !== "name" || token.text !== "S") continue;
    const kind = readToken(file, end, to);
    if (kind.kind !== "name" || kind.text !== "GoTo") return false;
    kinds += 1;
    ({ end } = kind);
  }
  return false;
}
