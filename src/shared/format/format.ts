import { roundDecimal } from "#contract/money.ts";

const GROUP = "\u202F";
const MINUS = "\u2212";

type Parts = { readonly minus: boolean; readonly whole: string; readonly fraction: string };

function split(decimal: string): Parts {
  const minus = decimal.startsWith("-") || decimal.startsWith(MINUS);
  const [whole = "0", fraction = ""] = (minus ? decimal.slice(1) : decimal).split(".");
  return { minus, whole, fraction };
}

const join = ({ minus, whole, fraction }: Parts): string =>
  (minus ? MINUS : "") + group(whole) + (fraction === "" ? "" : `.${fraction}`);

const group = (whole: string): string => whole.replace(/\B(?=(?:\d{3})+$)/g, GROUP);

const isZero = (digits: string): boolean => /^0*$/.test(digits);

/** `48200.5` → `48 200.5`: U+202F between thousands, U+2212 for a minus; the digits stay as they are. */
export const groupDigits = (decimal: string): string => join(split(decimal));

/**
 * An amount of a coin: cut (never rounded up) to `maxDecimals`, trailing zeros removed. Something that is not zero but
 * would show as zero reads `<0.00000001`. For a sum that must be paid exactly pass the instrument's own precision.
 */
export function formatCrypto(decimal: string, maxDecimals = 8): string {
  const { minus, whole, fraction } = split(decimal);
  const kept = fraction.slice(0, maxDecimals).replace(/0+$/, "");
  if (isZero(whole) && kept === "") {
    if (isZero(fraction)) return "0";
    return `<${join({ minus: false, whole: "0", fraction: "1".padStart(maxDecimals, "0") })}`;
  }
  return join({ minus, whole, fraction: kept });
}

/** Money of a state: always two decimals, rounded half up, without a sign of currency. */
export function formatFiat(decimal: string): string {
  const { minus, whole, fraction } = round(split(decimal), 2);
  return join({ minus: minus && !(isZero(whole) && isZero(fraction)), whole, fraction: fraction.padEnd(2, "0") });
}

/** An amount of a coin to eight decimals, or of a currency to two. */
export const formatSum = (decimal: string, { instrumentType }: { readonly instrumentType: string }): string =>
  instrumentType === "fiat" ? formatFiat(decimal) : formatCrypto(decimal);

/** A dollar equivalent, `$809.00`; `<$0.01` for what is not zero but would show as zero. */
export const formatUsd = (decimal: string): string => {
  const fiat = formatFiat(decimal);
  const { minus, whole, fraction } = split(decimal);
  if (!minus && fiat === "0.00" && !(isZero(whole) && isZero(fraction))) return "<$0.01";
  return fiat.startsWith(MINUS) ? `${MINUS}$${fiat.slice(1)}` : `$${fiat}`;
};

/** A rate: six significant figures, rounded half up, whole digits never cut, trailing zeros removed. */
export function formatRate(decimal: string): string {
  const parts = split(decimal);
  const decimals = isZero(parts.whole) ? leadingZeros(parts.fraction) + 6 : Math.max(0, 6 - parts.whole.length);
  const rounded = round(parts, decimals);
  return join({ ...rounded, fraction: rounded.fraction.replace(/0+$/, "") });
}

/** A fee to compare networks by: three significant figures, rounded up, since a fee must not flatter. */
export function formatFee(decimal: string): string {
  const { whole, fraction } = split(decimal);
  const decimals = isZero(whole) ? leadingZeros(fraction) + 3 : Math.max(0, 3 - whole.length);
  const rounded = split(roundDecimal(decimal, decimals, "up"));
  return join({ ...rounded, fraction: rounded.fraction.replace(/0+$/, "") });
}

/** Gives each decimal of a column as many decimals as the longest one, so that the column can be added up by eye. */
export function alignDecimals(decimals: readonly string[]): string[] {
  const parts = decimals.map(split);
  const longest = Math.max(0, ...parts.map((part) => part.fraction.length));
  return parts.map((part) => join({ ...part, fraction: part.fraction.padEnd(longest, "0") }));
}

const leadingZeros = (fraction: string): number => fraction.length - fraction.replace(/^0+/, "").length;

const round = ({ minus, whole, fraction }: Parts, decimals: number): Parts => ({
  ...split(roundDecimal(fraction === "" ? whole : `${whole}.${fraction}`, decimals, "half-up")),
  minus,
});
