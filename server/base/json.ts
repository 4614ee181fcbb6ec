/**
 * As `JSON.parse`, and refuses an object that names a key twice: which of the two counts would depend on who reads it.
 * Throws a SyntaxError.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  refuseDuplicateKeys(text);
  return value;
}

/** Throws a SyntaxError for text that is JSON and names a key twice in one object. */
export function refuseDuplicateKeys(text: string): void {
  const twice = keyNamedTwice(text);
  if (twice !== null) throw new SyntaxError(`the key ${JSON.stringify(twice)} stands twice in one object`);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Without recursion: 64 KB of brackets are deeper than the stack. */
function keyNamedTwice(text: string): string | null {
  /** The keys of each open object; null for an open array. */
  const open: (Set<string> | null)[] = [];
  let lastString = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (token !== ":") lastString = token;
    else {
      // `"\u0061"` and `"a"` are one key.
      const key = String(JSON.parse(lastString));
      const keys = open.at(-1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
  }
  return null;
}

/** What becomes of JSON's numbers where a double would not hold them: money never becomes a binary fraction (engine law 9). */
const EXACT_NUMBERS = {
  /** Each as it is written. */
  text: (source: string): unknown => source,
  /** Every whole number. */
  bigint: (source: string, value: number): unknown => (isInteger(source) ? BigInt(source) : value),
  /** Whole numbers beyond 2^53. */
  largeBigint: (source: string, value: number): unknown =>
    isInteger(source) && !Number.isSafeInteger(value) ? BigInt(source) : value,
} as const;

const isInteger = (source: string): boolean => /^-?\d+$/.test(source);

/** As `JSON.parse`, with numbers kept exactly. */
export function parseJsonExactly(text: string, numbers: keyof typeof EXACT_NUMBERS): unknown {
  const exact = EXACT_NUMBERS[numbers];
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? exact(context?.source ?? String(value), value) : value,
  );
}
