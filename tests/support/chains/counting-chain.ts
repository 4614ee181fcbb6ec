import { PaymentRefusedError } from "../../../server/chains/port.ts";
import { SweepingChain } from "./sweeping-chain.ts";

const TOP = 10n ** 20n;

/** A hot wallet that holds what it was given and received, less what it has sent. */
export class CountingChain extends SweepingChain {
  override async hotBalance(slug: string): Promise<bigint> {
    return TOP + this.holds("hot", slug);
  }

  /** As a node estimates a token's transfer: it fails where the tokens are gone. */
  override async sweepCost(from?: { address: string }, payment?: { slug: string; amount: bigint }): Promise<bigint> {
    if (from && payment && payment.slug !== "eth" && this.holds(from.address, payment.slug) < payment.amount)
      throw new PaymentRefusedError("destination_reverts", "execution reverted");
    return super.sweepCost();
  }
}
