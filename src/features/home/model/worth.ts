/** The size that shown rates hold for, since the network fee weighs more on a small exchange. */
export const ASKED_USD = 500n;

/** How much of a coin is worth ASKED_USD, cut to some decimals; null when that is nothing. */
export function worth(price: string, decimals: number): string | null {
  const [whole = "", fraction = ""] = price.split(".");
  const scaledPrice = BigInt(whole + fraction);
  if (scaledPrice === 0n) return null;
  const amount = (ASKED_USD * 10n ** BigInt(fraction.length + decimals)) / scaledPrice;
  if (amount === 0n) return null;
  const digits = amount.toString().padStart(decimals + 1, "0");
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return digits.slice(0, digits.length - decimals) + (decimals === 0 || rest === "" ? "" : `.${rest}`);
}
