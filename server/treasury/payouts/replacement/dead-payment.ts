import { sql } from "kysely";
import type { Handle, NetworkWallet } from "../../../chains/port.ts";
import type { Attempt } from "../attempts.ts";
import { CHECK_SECONDS } from "../broadcast.ts";
import { reviewPayout } from "../failures.ts";
import { reservedHandle, schedulePayout, type PayoutParts, type PayoutRow } from "../store.ts";
import { foreignPayments } from "../unknown-payments.ts";
import { recordDead } from "./excluding.ts";
import { endOfTaken, signAgain } from "./end-attempt.ts";

/**
 * Leads on a payment of which nothing can reach the chain any more. What has expired is signed again. Where the chain has used its nonce
 * or its coins for another transaction, it is signed again if that can't pay twice: a sweep or a consolidation pays ourselves, and an operator may have said that the
 * other one was made outside of this program. Everything else is held.
 */
export async function leadOnDead(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempts: readonly Attempt[],
): Promise<void> {
  const handle = await reservedHandle(parts.database, payout.id);
  if (handle === null || wallet.usesHandle === undefined)
    return signAgain(parts, payout, { attempts, why: "it expired before a block took it", handle: "used" });
  const isNonce = "nonce" in handle.data;
  const why = `the chain has used its ${isNonce ? "nonce" : "coins"} for another transaction`;
  const ended = { attempts, why, handle: endOfTaken(handle) };
  if (payout.state === "mined") return reviewPayout(parts, payout, "replaced_on_chain", why);
  if (payout.purpose === "sweep" || payout.purpose === "consolidation") return signAgain(parts, payout, ended);
  // The other one is among them, or stands behind them.
  if (await hasUndecided(parts, payout)) {
    await recordDead(parts, payout);
    return schedulePayout(parts.database, payout.id, CHECK_SECONDS);
  }
  return (await isUsedOutside(parts, wallet, payout, handle))
    ? signAgain(parts, payout, ended)
    : reviewPayout(parts, payout, "replaced_on_chain", why);
}

async function hasUndecided({ database }: PayoutParts, { network }: PayoutRow): Promise<boolean> {
  const { rows } = await sql`
    select from unknown_payments where network = ${network} and decision is null limit 1`.execute(database.kysely);
  return rows.length > 0;
}

async function isUsedOutside(
  { database }: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  handle: Handle,
): Promise<boolean> {
  for (const txId of await foreignPayments(database, payout))
    if ((await wallet.usesHandle?.(txId, handle)) === true) return true;
  return false;
}
