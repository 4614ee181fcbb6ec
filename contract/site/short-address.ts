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
