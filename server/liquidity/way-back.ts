import { sql } from "kysely";
import { inTransaction } from "../db/transaction.ts";
import type { DepositAddress } from "../chains/port.ts";
import { lockExchange, type ExchangeRow, type LiquidityParts } from "./exchange-rows.ts";

/** The place that an exchange is paid back to: derived like a customer's, never shared, so that whatever arrives there names its exchange. */
export async function wayBack(parts: LiquidityParts, row: ExchangeRow): Promise<DepositAddress> {
  if (row.refund_address !== null) return { address: row.refund_address, memo: row.refund_memo };
  const network = parts.instrumentOf(row.from_slug).networkTitle;
  const reader = parts.readers.get(network);
  if (reader === undefined) throw new Error(`no reader for ${network}`);
  const { rows } = await sql<{ index: bigint }>`select nextval('deposit_address_index') as index`.execute(
    parts.database.kysely,
  );
  const index = rows[0]?.index;
  if (index === undefined) throw new Error("the sequence of deposit addresses gave no number");
  const place = await reader.depositAddress(index);
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, row.id);
      if (locked.refund_address !== null) return { address: locked.refund_address, memo: locked.refund_memo };
      await transaction
        .insertInto("deposit_addresses")
        .values({ network, ...place, derivation_index: index, order_id: null, exchange_id: row.id })
        .execute();
      await transaction
        .updateTable("partner_exchanges")
        .set({ refund_address: place.address, refund_memo: place.memo })
        .where("id", "=", row.id)
        .execute();
      return place;
    },
    parts.probe,
  );
}
