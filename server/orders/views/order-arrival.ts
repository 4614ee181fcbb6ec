import { smallestOf } from "../../base/extremes.ts";
import type { ArrivalTimes } from "../../rates/port.ts";
import { attentionOf, reviewOf } from "./order-attention.ts";
import type { OrderRows } from "./order-rows.ts";
import { confirmationsAt } from "../../chains/follower/index.ts";

type Rows = Parameters<typeof reviewOf>[0] & Pick<OrderRows, "depositTip">;

/** Seconds until the coins of an order arrive; null once nothing arrives, or while it waits for somebody (contract §2). */
export function secondsToArrival(rows: Rows, times: ArrivalTimes): number | null {
  if (attentionOf(rows) !== null || reviewOf(rows) !== null) return null;
  const { kind, terms } = rows.state;
  if (terms.card !== undefined) return null;
  const [from, to] = [terms.from.networkTitle, terms.to.networkTitle];
  if (kind === "paying" || kind === "rerouting") return times.secondsLeft(from, 0, to);
  if (kind !== "awaiting_deposit" && kind !== "confirming") return null;
  const blocks = blocksLeft(rows);
  return blocks === null
    ? times.secondsFromSending(from, terms.requiredConfirmations, to)
    : times.secondsLeft(from, blocks, to);
}

/** What the deposit with the least confirmations lacks; null while there is none. */
function blocksLeft({ state: { terms }, deposits, depositTip }: Rows): number | null {
  const seen = deposits.filter(
    ({ slug, height, inMempool }) => slug === terms.from.slug && (height !== null || inMempool),
  );
  if (seen.length === 0) return null;
  const confirmations = smallestOf(seen.map(({ height }) => confirmationsAt(depositTip, height)));
  return Math.max(0, terms.requiredConfirmations - confirmations);
}
