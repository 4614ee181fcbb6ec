import type { NetworkReader, NetworkWallet } from "./port.ts";

/** The calls whose result depends on what the node has seen of our own payments. */
const SIGNING = new Set(["chooseHandle", "prepare", "chooseSweepHandle", "prepareSweep"]);

export class NodeBehindError extends Error {
  override name = "NodeBehindError";
}

/**
 * The same wallet, which signs nothing while its node is behind the blocks that we have read: such a node has forgotten payments
 * of ours, and offers what they have spent once more (engine law 18). `readTip` gives the height of the newest of these blocks.
 */
export function signOnlyWhenCurrent<Wallet extends NetworkWallet>(
  wallet: Wallet,
  reader: Pick<NetworkReader, "head">,
  readTip: () => Promise<number | null>,
): Wallet {
  const requireCurrent = async (): Promise<void> => {
    // Before the head: what is read in between would make the node look as if it were behind.
    const tip = await readTip();
    const { height } = await reader.head();
    if (tip !== null && height < tip)
      throw new NodeBehindError(
        `the node of ${wallet.networkTitle} is at block ${height}, behind block ${tip}: it signs nothing`,
      );
  };
  return new Proxy(wallet, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      const call = (...given: unknown[]): unknown => Reflect.apply(member, target, given);
      if (!SIGNING.has(String(name))) return call;
      return async (...given: unknown[]) => {
        await requireCurrent();
        return call(...given);
      };
    },
  });
}
