import { powerOfTen } from "#contract/money.ts";

const NUMBER = /^(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** A partner's decimal in minor units; what is finer than they are is cut off, or counts as one more. Null when it is no such number. */
export function readDecimal(text: string, decimals: number, rounding: "down" | "up" = "down"): bigint | null {
  const [, whole, fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + fraction);
  const shift = decimals + Number(exponent) - fraction.length;
  if (shift >= 0) return digits * powerOfTen(shift);
  const unit = powerOfTen(-shift);
  return rounding === "up" ? (digits + unit - 1n) / unit : digits / unit;
}
