import { inTransaction } from "../db/transaction.ts";
import { lockExchange, scheduleExchange, wakeOrder, type LiquidityParts } from "./exchange-rows.ts";

const LOOK_AGAIN_SECONDS = 5;

/**
 * Leaves an exchange that nothing was paid to: the order looks for another provider. Not once a payment to it has as much as reserved
 * its handle, because from then on it may leave.
 */
export async function giveUp(parts: LiquidityParts, id: bigint, reason: string): Promise<void> {
  const given = await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, id);
      if (locked.state !== "intended" && locked.state !== "opened") return null;
      const funding = await transaction
        .selectFrom("payouts")
        .select("id")
        .where("exchange_id", "=", id)
        .forUpdate()
        .executeTakeFirst();
      if (funding !== undefined) {
        const handle = await transaction
          .selectFrom("payout_handles")
          .select("id")
          .where("payout_id", "=", funding.id)
          .executeTakeFirst();
        if (handle !== undefined) {
          await scheduleExchange(transaction, id, LOOK_AGAIN_SECONDS);
          return null;
        }
        await transaction
          .updateTable("payouts")
          .set({ state: "returned", next_attempt_at: null })
          .where("id", "=", funding.id)
          .execute();
      }
      await transaction
        .updateTable("partner_exchanges")
        .set({ state: "abandoned", reason, next_attempt_at: null })
        .where("id", "=", id)
        .execute();
      await wakeOrder(transaction, locked.order_id);
      return locked;
    },
    parts.probe,
  );
  if (given === null) return;
  parts.log.warn(
    { orderId: given.order_id, partner: given.partner, reason },
    "an exchange at a partner is given up unpaid",
  );
}
