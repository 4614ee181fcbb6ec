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

/** What all addresses or hashes of a network begin with: it tells none from another. */
const SHARED_START = /^(?:0x|(?:bc|tb|ltc)1[qp]|bcrt1[qp]|addr1[qvw])?/;
const KEPT = 6;

/** An address or hash where there is no room: its beginning with the first six of its own, an ellipsis, its last six. */
export function shorten(whole: string): string {
  // As wallets write it too: the name of its network has no room.
  const text = whole.replace(/^bitcoincash:/, "");
  const start = (SHARED_START.exec(text)?.[0].length ?? 0) + KEPT;
  return text.length <= start + KEPT + 1 ? text : `${text.slice(0, start)}…${text.slice(-KEPT)}`;
}
