const DECIMALS = 18;
const PLAIN = /^(\d{1,30})(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;

/** A decimal of another party, scaled by 10^18 and cut there; an exponent is understood. Null for anything else. */
export function parseDecimal(text: string): bigint | null {
  const [, whole, fraction = "", exponent = "0"] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return null;
  const shift = DECIMALS + Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return 0n;
  return BigInt(digits.slice(0, point).padEnd(point, "0"));
}
