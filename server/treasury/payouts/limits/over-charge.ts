import { sql } from "kysely";
import { PaymentRefusedError, type NetworkWallet } from "../../../chains/port.ts";
import { requireAffordable } from "./affordable.ts";
import { reviewPayout } from "../failures.ts";
import type { PayoutParts, PayoutRow } from "../store.ts";

/** Fees that have jumped fall again within minutes as a rule; after this time an operator decides. */
const WAIT_SECONDS = 3_600;
const MIN_PAUSE_SECONDS = 15;
const MAX_PAUSE_SECONDS = 300;

type Cost = { cost: bigint; limit: bigint | null };

/** Throws unless a payment keeps to what its customer's fee allows, and the hot wallet can pay it beside all that it has signed. */
export async function requireWithinLimits(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  { cost, limit }: Cost,
): Promise<void> {
  if (limit !== null && cost > limit)
    throw new PaymentRefusedError("fee_over_charge", `it may cost ${cost}, more than ${limit}`);
  const feeSlug = parts.feeSlugOf(payout.network);
  if (payout.purpose !== "sweep") await requireAffordable(parts.database, wallet, payout, { cost, feeSlug });
}

/** Tries a payment whose fee is too high later, after pauses that grow with the time that it has waited; in the end it is held. */
export async function waitForLowerFee(parts: PayoutParts, payout: PayoutRow, reason: string): Promise<void> {
  const waited = sql<number>`extract(epoch from now() - coalesce(over_charge_since, now()))`;
  const waiting = await parts.database.kysely
    .updateTable("payouts")
    .set({
      over_charge_since: sql<Date>`coalesce(over_charge_since, now())`,
      next_attempt_at: sql<Date>`now() + make_interval(secs =>
        least(greatest(${waited}, ${MIN_PAUSE_SECONDS}), ${MAX_PAUSE_SECONDS}))`,
    })
    .where("id", "=", payout.id)
    .where("state", "=", payout.state)
    .where(sql<boolean>`${waited} < ${WAIT_SECONDS}`)
    .returning("id")
    .executeTakeFirst();
  if (waiting === undefined) return reviewPayout(parts, payout, "fee_over_charge", reason);
  parts.log.warn(
    { payoutId: payout.id.toString(), reason },
    "a payment waits until its fee is near what its customer was charged",
  );
}
