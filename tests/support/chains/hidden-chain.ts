import type { ObservedBlock, RecentPayment } from "../../../server/chains/port.ts";
import { FakeChain } from "./fake-chain.ts";

/** A chain that shows to whom nobody's payments go, as Monero does: its wallet lists its own, with what has left it and nothing else. */
export class HiddenChain extends FakeChain {
  /** Whether the wallet says what has left it: not of what waits for a block, nor after it was made anew from its keys. */
  tellsAmounts = true;

  override async blockAt(height: number): Promise<ObservedBlock | null> {
    const block = await super.blockAt(height);
    if (block === null) return null;
    const { sent: _, toOurselves: __, moved: ___, ...shown } = block;
    return shown;
  }

  async recentPayments(from: number): Promise<RecentPayment[]> {
    const mined = this.blocks.slice(from).flatMap(({ height, transactions }) =>
      transactions
        .filter((one) => one.from === this.hotAddress())
        .map(({ txId, transfers: [paid] }) => ({
          txId,
          height,
          ...(this.tellsAmounts && paid && { sent: { slug: paid.slug, amount: paid.amount } }),
        })),
    );
    const waiting = this.pending.filter((one) => one.from === this.hotAddress());
    return [...mined, ...waiting.map(({ txId }) => ({ txId, height: null }))];
  }
}
