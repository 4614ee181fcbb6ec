// No zod here: pages calculate before any schema has loaded. The schema of an amount is `decimalSchema` of fields.ts.
declare const unit: unique symbol;

/**
 * An amount in the smallest unit of one asset (wei, satoshi, 10^-6 USDT). `Of` keeps the two sides of a pair apart at
 * compile time.
 */
export type Minor<Of extends string = string> = bigint & { readonly [unit]: Of };

/** The grammar of every amount on the wire: plain decimal notation, no sign, no exponent, no blank (contract §1). */
export const DECIMAL = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** Longer than any amount of any asset can be: 78 digits of minor units and a dot. */
export const MAX_DIGITS = 80;

/** Brands an amount that is known to be in minor units, and whose side is known; checks nothing. */
export const toMinor = <Of extends string = string>(value: bigint): Minor<Of> => value as Minor<Of>;

/** Whether it is a wire decimal (contract §1), whatever its number of decimals. */
export const isDecimal = (value: unknown): value is string =>
  typeof value === "string" && value.length <= MAX_DIGITS && DECIMAL.test(value);

/** Reads a wire decimal into minor units; null when it breaks the grammar or has more decimals than the asset (contract §2). */
export function parseAmount<Of extends string = string>(text: string, decimals: number): Minor<Of> | null {
  if (text.length > MAX_DIGITS || !DECIMAL.test(text)) return null;
  const [whole = "", fraction = ""] = text.split(".");
  if (fraction.length > decimals) return null;
  return toMinor<Of>(BigInt(whole + fraction.padEnd(decimals, "0")));
}

/**
 * Reads an amount that the server sent into minor units; one with more decimals than its coin is a broken answer
 * (RangeError).
 */
export function minorUnits(amount: string, decimals: number): bigint {
  const minor = parseAmount(amount, decimals);
  if (minor === null) throw new RangeError(`not an amount with at most ${decimals} decimals: ${amount}`);
  return minor;
}

/** Writes minor units as a wire decimal: plain notation without trailing zeros (contract §1). */
export function formatAmount(value: bigint, decimals: number): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return sign + whole + (fraction === "" ? "" : `.${fraction}`);
}

/** Integer division that rounds away from zero: what is charged is rounded up (engine law 9). */
export const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Integer division that rounds towards zero: what is paid is rounded down (engine law 9). */
export const divideDown = (dividend: bigint, divisor: bigint): bigint => dividend / divisor;

/** The smallest of some amounts; `Math.min` takes no bigint. */
export const minOf = <A extends bigint>(first: A, ...others: A[]): A =>
  others.reduce((least, one) => (one < least ? one : least), first);

/** The largest of some amounts. */
export const maxOf = <A extends bigint>(first: A, ...others: A[]): A =>
  others.reduce((greatest, one) => (one > greatest ? one : greatest), first);

/** 10^`exponent`, such as the minor units of one coin for its decimals; throws below 0 (RangeError). */
export const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

/** A whole in basis points (hundredths of a percent). */
export const WHOLE_BPS = 10_000n;

/** Finer decimals are never displayed, so they are never quoted. */
export const DISPLAYED_DECIMALS = 8;

/** The finest step of an amount that is displayed, in minor units of an asset with `decimals`. */
export const displayedUnit = (decimals: number): bigint => powerOfTen(Math.max(0, decimals - DISPLAYED_DECIMALS));

/** `numerator / denominator` as a decimal with at most `significant` significant figures, cut off, for prices and rates. */
export function ratio(numerator: bigint, denominator: bigint, significant = 12): string {
  if (denominator <= 0n || numerator < 0n) throw new RangeError("a ratio needs a positive denominator");
  const wholeDigits = (numerator / denominator).toString();
  const decimals =
    numerator >= denominator
      ? Math.max(0, significant - wholeDigits.length)
      : leadingZeros(numerator, denominator) + significant;
  return formatAmount((numerator * powerOfTen(decimals)) / denominator, decimals);
}

/** Negative, zero or positive, as `a` is less than, equal to or more than `b`. */
export function compareDecimals(a: string, b: string): number {
  const [left = 0n, right = 0n] = aligned([parseExact(a), parseExact(b)]).units;
  const difference = left - right;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact sum of wire decimals; of none, 0. Throws for what is no unsigned decimal (RangeError). */
export function addDecimals(...terms: readonly string[]): string {
  const { units, scale } = aligned(terms.map(parseExact));
  return formatAmount(
    units.reduce((sum, term) => sum + term, 0n),
    scale,
  );
}

/** The exact product, with as many decimals as the two have together. Throws for what is no unsigned decimal (RangeError). */
export function multiplyDecimals(a: string, b: string): string {
  const [left, right] = [parseExact(a), parseExact(b)];
  return formatAmount(left.units * right.units, left.scale + right.scale);
}

/** `a / b`, cut off after `decimals`; null when there is nothing to divide by. */
export function divideDecimals(a: string, b: string, decimals = 40): string | null {
  const [dividend, divisor] = [parseExact(a), parseExact(b)];
  if (divisor.units === 0n) return null;
  const numerator = dividend.units * powerOfTen(decimals + divisor.scale);
  return formatAmount(numerator / (divisor.units * powerOfTen(dividend.scale)), decimals);
}

/** Rounds to at most `decimals`: `down` for what is paid, `up` for what is charged, `half-up` for what is only displayed. */
export function roundDecimal(decimal: string, decimals: number, rounding: "down" | "up" | "half-up"): string {
  const { units, scale } = parseExact(decimal);
  if (scale <= decimals) return formatAmount(units, scale);
  const unit = powerOfTen(scale - decimals);
  const added = rounding === "down" ? 0n : rounding === "up" ? unit - 1n : unit / 2n;
  return formatAmount((units + added) / unit, decimals);
}

/** How far apart two figures are, never negative. */
export function decimalDistance(a: string, b: string): string {
  const { units, scale } = aligned([parseExact(a), parseExact(b)]);
  const [left = 0n, right = 0n] = units;
  return formatAmount(left > right ? left - right : right - left, scale);
}

/** A part of a whole in percent, rounded to hundredths; null where the whole is nothing. */
export function percentOf(part: string, whole: string): string | null {
  const percent = divideDecimals(multiplyDecimals(part, "100"), whole);
  return percent === null ? null : roundDecimal(percent, 2, "half-up");
}

/** The number of decimals that are written: 3 for `1.230`. */
export const decimalPlaces = (decimal: string): number => decimal.split(".")[1]?.length ?? 0;

const EXTERNAL_DECIMAL = /^(\d{1,40})(?:\.(\d{1,80}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Reads another party's decimal, exponents included, into units of 10^-`decimals`; what is finer is cut off, or counts
 * as one more when rounded up. Null for anything else.
 */
export function readExternalDecimal(text: string, decimals: number, rounding: "down" | "up" = "down"): bigint | null {
  const [, whole, fraction = "", exponent = "0"] = EXTERNAL_DECIMAL.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + fraction);
  const shift = decimals + Number(exponent) - fraction.length;
  if (shift >= 0) return digits * powerOfTen(shift);
  const unit = powerOfTen(-shift);
  return rounding === "up" ? divideUp(digits, unit) : divideDown(digits, unit);
}

type Exact = { units: bigint; scale: number };

/** A figure that is no plain decimal is a programming error here. */
function parseExact(decimal: string): Exact {
  if (!/^\d+(?:\.\d+)?$/.test(decimal)) throw new RangeError(`not a decimal: ${decimal}`);
  return { units: BigInt(decimal.replace(".", "")), scale: decimalPlaces(decimal) };
}

function aligned(figures: readonly Exact[]): { units: bigint[]; scale: number } {
  const scale = Math.max(0, ...figures.map((figure) => figure.scale));
  return { units: figures.map((figure) => figure.units * powerOfTen(scale - figure.scale)), scale };
}

function leadingZeros(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  let zeros = 0;
  for (let scaled = numerator * 10n; scaled < denominator; scaled *= 10n) zeros += 1;
  return zeros;
}
