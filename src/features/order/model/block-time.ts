/** Seconds that a network's protocol aims at between two blocks; networks that are not listed get no estimate. */
const TARGET_SECONDS: Readonly<Record<string, number>> = {
  BTC: 600,
  BCH: 600,
  LTC: 150,
  XMR: 120,
  DOGE: 60,
  DASH: 150,
  ZEC: 75,
  ETH: 12,
  TRX: 3,
};

/** Seconds between two blocks; null where the network's pace is not known. */
export const blockSeconds = (networkTitle: string): number | null => TARGET_SECONDS[networkTitle] ?? null;

/** About how long the missing confirmations take, in seconds; null where the network's pace is not known. */
export function secondsLeft(
  networkTitle: string,
  { count, required }: { count: number; required: number },
): number | null {
  const perBlock = blockSeconds(networkTitle);
  return perBlock === null ? null : Math.max(0, required - count) * perBlock;
}
