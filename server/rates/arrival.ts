import type { ArrivalTimes } from "./port.ts";

type MeasuredParts = Pick<ArrivalTimes, "blockSeconds"> & {
  /** The median of the network's last payouts; null while there are too few. */
  measuredSeconds(network: string): number | null;
};

/** How long coins take, from the pace of the networks and from measured payouts. */
export function createArrivalTimes({ blockSeconds, measuredSeconds }: MeasuredParts): ArrivalTimes {
  const payoutSeconds = (network: string): number | null => measuredSeconds(network) ?? blockSeconds(network);
  const secondsLeft = (from: string, blocksLeft: number, to: string): number | null => {
    const block = blocksLeft > 0 ? blockSeconds(from) : 0;
    const payout = payoutSeconds(to);
    return block === null || payout === null ? null : Math.ceil(blocksLeft * block + payout);
  };
  return {
    blockSeconds,
    payoutSeconds,
    secondsLeft,
    // Even where no confirmation is required, a block has to take the deposit.
    secondsFromSending: (from, confirmations, to) => secondsLeft(from, Math.max(1, confirmations), to),
  };
}

type Pace = { blockSeconds: number | null; payoutSeconds: number | null };

/** The pace of an instrument's network, as the contract shows it. */
export const paceOf = ({ networkTitle }: { networkTitle: string }, times: ArrivalTimes): Pace => ({
  blockSeconds: times.blockSeconds(networkTitle),
  payoutSeconds: times.payoutSeconds(networkTitle),
});
