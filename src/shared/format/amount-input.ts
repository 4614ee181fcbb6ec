/** An amount field's text and where its caret stands. */
export type FieldText = { text: string; caret: number };

/** Cleans what is typed into an amount (spec §5): `1 234,5` becomes `1234.5`, `00` becomes `0.`, `.5` becomes `0.5`. */
export function cleanAmount(text: string): string {
  const digitsAndDots = text
    .replace(/\s/g, "")
    .replaceAll(",", ".")
    .replace(/[^0-9.]/g, "");
  return withLeadingZero(keepFirstDot(digitsAndDots.replace(/^00/, "0.")));
}

/** Cleans a field and keeps its caret behind the same character. */
export function cleanField({ text, caret }: FieldText): FieldText {
  const cleaned = cleanAmount(text);
  return { text: cleaned, caret: Math.min(cleaned.length, cleanAmount(text.slice(0, caret)).length) };
}

/**
 * Reads a pasted amount: where it holds both a dot and a comma, the last of them is the decimal sign and the other
 * separates thousands (contract §3). Otherwise it is cleaned as typed text is.
 */
function readPastedAmount(text: string): string {
  const dot = text.lastIndexOf(".");
  const comma = text.lastIndexOf(",");
  if (dot === -1 || comma === -1) return cleanAmount(text);
  const decimalSign = Math.max(dot, comma);
  const whole = text.slice(0, decimalSign).replace(/[.,]/g, "");
  return cleanAmount(`${whole}.${text.slice(decimalSign + 1)}`);
}

/** Puts pasted text in the place of the selection and cleans the result. */
export function pasteInto(
  field: { text: string; selectionStart: number; selectionEnd: number },
  pasted: string,
): FieldText {
  const before = field.text.slice(0, field.selectionStart) + readPastedAmount(pasted);
  return cleanField({ text: before + field.text.slice(field.selectionEnd), caret: before.length });
}

/**
 * The wire decimal of a typed amount: no leading or trailing zeros, cut to what the instrument can carry.
 * An empty string when it is not positive (spec §5).
 */
export function canonicalAmount(text: string, decimals: number): string {
  const [whole = "", fraction = ""] = cleanAmount(text).split(".");
  const keptWhole = whole.replace(/^0+(?=.)/, "") || "0";
  const keptFraction = fraction.slice(0, decimals).replace(/0+$/, "");
  const amount = keptFraction === "" ? keptWhole : `${keptWhole}.${keptFraction}`;
  return amount === "0" ? "" : amount;
}

function keepFirstDot(text: string): string {
  const dot = text.indexOf(".");
  return dot === -1 ? text : text.slice(0, dot + 1) + text.slice(dot + 1).replaceAll(".", "");
}

const withLeadingZero = (text: string): string => (text.startsWith(".") ? `0${text}` : text);
