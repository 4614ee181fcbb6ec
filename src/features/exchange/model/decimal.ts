/** Enough for the product of two 18-decimal figures. */
const SCALE = 40;
const WIRE_DECIMAL = /^\d+(?:\.\d{1,40})?$/;

// Not contract/money.ts: the schemas in it would join the first load.
/** Exact arithmetic on wire decimals; a figure that breaks the wire's grammar is a programming error. */
function scaled(decimal: string): bigint {
  if (!WIRE_DECIMAL.test(decimal)) throw new RangeError(`not a wire decimal: ${decimal}`);
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(SCALE, "0"));
}

function plain(value: bigint): string {
  const digits = value.toString().padStart(SCALE + 1, "0");
  const fraction = digits.slice(-SCALE).replace(/0+$/, "");
  return digits.slice(0, -SCALE) + (fraction === "" ? "" : `.${fraction}`);
}

/** Negative, zero or positive, as `a` is less than, equal to or more than `b`. */
export function compareDecimals(a: string, b: string): number {
  const difference = scaled(a) - scaled(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export const addDecimals = (...terms: string[]): string => plain(terms.reduce((sum, term) => sum + scaled(term), 0n));

export const multiplyDecimals = (a: string, b: string): string => plain((scaled(a) * scaled(b)) / 10n ** BigInt(SCALE));

/** `a / b`, cut off after 40 decimals; null when there is nothing to divide by. */
export function divideDecimals(a: string, b: string): string | null {
  const divisor = scaled(b);
  return divisor === 0n ? null : plain((scaled(a) * 10n ** BigInt(SCALE)) / divisor);
}

/** Cuts a figure to so many decimals: what arrives is never shown larger than it is. */
export function cutDecimals(decimal: string, decimals: number): string {
  const unit = 10n ** BigInt(SCALE - decimals);
  return plain((scaled(decimal) / unit) * unit);
}

/** The same, away from zero: a fee is never shown smaller than it is. */
export function raiseDecimals(decimal: string, decimals: number): string {
  const unit = 10n ** BigInt(SCALE - decimals);
  return plain(((scaled(decimal) + unit - 1n) / unit) * unit);
}

export const decimalsOf = (decimal: string): number => decimal.split(".")[1]?.length ?? 0;
