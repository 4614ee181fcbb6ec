/** The side of a pair that a payment belongs to, for kill switches: refunds and sweeps move what came in, payouts what was bought. */
export const SIDE = {
  payout: "to",
  withdrawal: "to",
  gas: "to",
  consolidation: "to",
  refund: "from",
  sweep: "from",
  funding: "from",
} as const;
