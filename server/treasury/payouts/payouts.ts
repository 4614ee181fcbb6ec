import { loadPayout, schedulePayout, type PayoutParts } from "./store.ts";
import { watchReviewed } from "./review.ts";
import { sendPayout } from "./send.ts";
import { settleFinality, watchPayout } from "./watch.ts";

/**
 * Takes one payment a step further: reserve → sign → store → commit → broadcast → look up → final. Every step starts from
 * the rows, so it may be repeated after a crash at any point, and only the same bytes are ever broadcast (engine law 5).
 */
export async function advancePayout(parts: PayoutParts, payoutId: bigint): Promise<void> {
  const payout = await loadPayout(parts.database, payoutId);
  if (payout === null) return;
  if (payout.route === "partner") return schedulePayout(parts.database, payout.id, null);
  const wallet = parts.wallets.get(payout.network);
  if (wallet === undefined) throw new Error(`no wallet for ${payout.network}`);
  switch (payout.state) {
    case "intended":
      return sendPayout(parts, wallet, payout);
    case "broadcast":
      return watchPayout(parts, wallet, payout);
    case "mined":
      return settleFinality(parts, wallet, payout);
    case "review":
      return watchReviewed(parts, wallet, payout);
    case "final":
    case "returned":
      return;
  }
}
