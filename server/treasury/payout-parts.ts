import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import type { TransactionProbe } from "../db/transaction.ts";
import type { Log } from "../base/log.ts";
import type { NetworkWallet } from "../chains/port.ts";
import type { PayoutRow } from "./payout-rows.ts";
import type { PostTransfer, Switches } from "./port.ts";

export type PayoutParts = {
  database: Database;
  wallets: ReadonlyMap<string, NetworkWallet>;
  clock: Clock;
  log: Log;
  post: PostTransfer;
  /** The slug of the coin that a network's fees are paid in. */
  feeSlugOf(network: string): string;
  /** Confirmations after which a payment can't be undone on its network. */
  finalDepthOf(slug: string): number;
  switches: Pick<Switches, "stoppedNow">;
  /** The order's own word on what it pays, read again before anything is signed (engine law 14). */
  authorisePayout(payout: PayoutRow): Promise<boolean>;
  /** Wakes the order that a payment belongs to. */
  onMined(orderId: string): void;
  probe?: TransactionProbe;
};

/** Takes a payment out of the loop for an operator, who sees it with its reason. */
export async function reviewPayout(parts: PayoutParts, payout: PayoutRow, reason: string): Promise<void> {
  parts.log.error(
    { orderId: payout.orderId, payoutId: payout.id.toString(), reason },
    "a payment is held for an operator",
  );
  await parts.database.kysely
    .updateTable("payouts")
    .set({ state: "review", review_reason: reason, next_attempt_at: null })
    .where("id", "=", payout.id)
    .execute();
}
