import { sql, type Kysely } from "kysely";
import type { Schema } from "../../db/schema.ts";
import type { ObservedTransfer } from "../port.ts";
import { chunksOf } from "./chunks.ts";

/** What an address (and memo, where one address serves many) is used for: an order, or a partner exchange whose refund address it is. */
type AddressUse = { orderId: string | null; exchangeId: bigint | null };

/** Finds the use of the address that a transfer pays; null where it is none of ours. */
export type UseOf = (transfer: ObservedTransfer) => AddressUse | null;

/** What the addresses are used for that these transfers pay, each asked for once. */
export async function usesOf(
  db: Pick<Kysely<Schema>, "selectFrom">,
  network: string,
  transfers: readonly ObservedTransfer[],
): Promise<UseOf> {
  const asked = new Map(transfers.map((transfer) => [addressKey(transfer.toAddress, transfer.memo), transfer]));
  const uses = new Map<string, AddressUse>();
  for (const some of chunksOf(asked.values())) {
    const addresses = [...new Set(some.map((transfer) => transfer.toAddress))];
    const memos = [...new Set(some.map((transfer) => transfer.memo ?? null))];
    const rows = await db
      .selectFrom("deposit_addresses")
      .select(["address", "memo", "order_id", "exchange_id"])
      .where("network", "=", network)
      .where(sql<boolean>`address = any(${addresses}::text[]) and (memo is null or memo = any(${memos}::text[]))`)
      .execute();
    for (const row of rows)
      uses.set(addressKey(row.address, row.memo), { orderId: row.order_id, exchangeId: row.exchange_id });
  }
  return ({ toAddress, memo }) => uses.get(addressKey(toAddress, memo)) ?? null;
}

/** No address has a line break. */
const addressKey = (address: string, memo: string | null | undefined): string =>
  memo == null ? address : `${address}\n${memo}`;
