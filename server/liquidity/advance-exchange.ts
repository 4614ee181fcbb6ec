import { loadExchange, scheduleExchange, type ExchangeRow, type LiquidityParts, abandonExchange } from "./store.ts";
import { openExchange } from "./open-exchange.ts";
import { bookReturn } from "./exchange-returns.ts";
import { watchExchange } from "./watch-exchange.ts";

const RETRY_SECONDS = 15;

/**
 * Takes one exchange at a partner a step further: refund address → open → store its id → pay it (a payment of its own)
 * → poll until it is finished or returned. Every step starts from the rows; an unknown result is looked up and never
 * treated as a failure (engine law 6).
 */
export async function advanceExchange(parts: LiquidityParts, id: bigint): Promise<void> {
  const row = await loadExchange(parts, id);
  if (row === null || (await bookReturn(parts, row))) return;
  if (row.state !== "intended" && row.state !== "opened" && row.state !== "returning")
    return scheduleExchange(parts.database.kysely, id, null);
  const partner = parts.partners.get(row.partner);
  if (partner === undefined) return withoutPartner(parts, row);
  // What fails here is retried with growing pauses: one partner that hangs or refuses holds up no other.
  if (row.state === "intended") await openExchange(parts, partner, row);
  else await watchExchange(parts, partner, row);
}

/** A partner that was taken out of the configuration: an unpaid exchange goes to another provider, a paid one waits. */
async function withoutPartner(parts: LiquidityParts, row: ExchangeRow): Promise<void> {
  parts.log.error({ orderId: row.order_id, partner: row.partner }, "an exchange's partner is not configured any more");
  await abandonExchange(parts, row.id, "the partner is not configured");
  const after = await loadExchange(parts, row.id);
  if (after !== null && after.state !== "abandoned")
    await scheduleExchange(parts.database.kysely, row.id, RETRY_SECONDS);
}
