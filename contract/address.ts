const HEX_ADDRESS = /^0x[0-9a-f]+$/i;

/** Whether two typed addresses are the same one; the letter case of a hexadecimal address is only its checksum. */
export function isSameAddress(a: string, b: string): boolean {
  const [left, right] = [a.trim(), b.trim()];
  if (HEX_ADDRESS.test(left) && HEX_ADDRESS.test(right)) return left.toLowerCase() === right.toLowerCase();
  return left === right;
}

/**
 * Why an address is refused that is well written: it is ours, a token's contract, or one whose coins nobody owns (contract §3). In the
 * `code` of validate-address and in the `data` of ERR_VALIDATION.
 */
export const ADDRESS_UNPAYABLE = "error_address_unpayable";

/** The i18next context of texts that name a memo: wallets call XRP's a destination tag. */
export const memoContext = (networkTitle: string): "tag" | undefined => (networkTitle === "XRP" ? "tag" : undefined);
