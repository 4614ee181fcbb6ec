declare const unit: unique symbol;

/** An amount in the smallest unit of one asset (wei, satoshi, 10^-6 USDT). `Of` keeps the two sides of a pair apart at compile time. */
export type Minor<Of extends string = string> = bigint & { readonly [unit]: Of };

/** The grammar of every amount on the wire: plain decimal notation, no sign, no exponent, no blank (contract §1). */
export const DECIMAL = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** Longer than any amount of any asset can be: 78 digits of minor units and a dot. */
export const MAX_DIGITS = 80;

export const toMinor = <Of extends string = string>(value: bigint): Minor<Of> => value as Minor<Of>;

/** Reads a wire decimal into minor units; null when it breaks the grammar or has more decimals than the asset (contract §2). */
export function parseAmount<Of extends string = string>(text: string, decimals: number): Minor<Of> | null {
  if (text.length > MAX_DIGITS || !DECIMAL.test(text)) return null;
  const [whole = "", fraction = ""] = text.split(".");
  if (fraction.length > decimals) return null;
  return toMinor<Of>(BigInt(whole + fraction.padEnd(decimals, "0")));
}

/** Writes minor units as a wire decimal: plain notation without trailing zeros (contract §1). */
export function formatAmount(value: bigint, decimals: number): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return sign + whole + (fraction === "" ? "" : `.${fraction}`);
}

/** Integer division that rounds away from zero: what we ask is rounded up (engine law 9). */
export const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Integer division that rounds towards zero: what we pay is rounded down (engine law 9). */
export const divideDown = (dividend: bigint, divisor: bigint): bigint => dividend / divisor;

export const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

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

function leadingZeros(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  let zeros = 0;
  for (let scaled = numerator * 10n; scaled < denominator; scaled *= 10n) zeros += 1;
  return zeros;
}
