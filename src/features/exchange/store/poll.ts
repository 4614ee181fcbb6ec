import type { PairData, RateRequest } from "#contract/rate.ts";

/** What the rate call is asked for while the socket gives no rate. */
export type RatePoll = {
  /** Null while there is nothing to ask. */
  request: RateRequest | null;
  /** Changes when the poll begins anew. */
  round: number;
  /** The first call waits for the interval to pass. */
  isDelayed: boolean;
};
export const noPoll = (): RatePoll => ({ request: null, round: 0, isDelayed: false });

/** What one call of a round gave. */
export type PolledRate = { readonly round: number } & ({ readonly rate: PairData } | { readonly error: unknown });
