import type { Minor } from "#contract/money.ts";
import { unpaidUntil } from "./decide.ts";
import { isComplete, offerEnd } from "./decide-price.ts";
import type { OrderState } from "./order.ts";

/** A price that binds us for `amount` of what is sent, while the customer may still walk away. */
export type Exposure = { until: Date; amount: Minor<"from"> };

/** The sums of an order's deposits: those that the chain or its mempool shows, and those in blocks. */
export type DepositSums = { standing: Minor<"from">; mined: Minor<"from"> };

/**
 * What an order exposes us to (engine law 13): a fixed rate until its deposits are in blocks, and an offer until it ends. A mempool's
 * deposit can be withdrawn, so it keeps the rate and the exposure. Null where nothing is open.
 */
export function exposureOf(state: OrderState, { standing, mined }: DepositSums): Exposure | null {
  const { terms } = state;
  if (state.kind === "awaiting_choice")
    return state.offer && { until: offerEnd(state.offer), amount: state.offer.received };
  if (terms.fixed === null) return null;
  const open = { until: terms.fixed.expiresAt, amount: terms.claimedDepositAmount };
  if (state.kind === "awaiting_deposit") return open;
  if (state.kind !== "confirming" || state.accepted !== null || isComplete(terms, mined)) return null;
  return isComplete(terms, standing) ? { ...open, until: unpaidUntil(terms) } : open;
}
