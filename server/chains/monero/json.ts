/** Node knows `JSON.rawJSON`, TypeScript's library does not yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** As `JSON.parse`, with every whole number as a bigint: amounts of Monero go beyond what a double can hold. */
export function parseJson(text: string): unknown {
  const exact = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && /^-?\d+$/.test(context?.source ?? "") ? BigInt(context?.source ?? 0) : value;
  return JSON.parse(text, exact);
}

/** As `JSON.stringify`, with bigints as whole numbers. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? rawJSON(part.toString()) : part));
}
