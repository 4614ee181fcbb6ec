import { NodeBehindError, type NetworkReader, type NetworkWallet } from "./port.ts";

/** The calls whose result depends on what the node has seen of our own payments. */
export const SIGNING_CALLS: ReadonlySet<string> = new Set([
  "chooseHandle",
  "prepare",
  "prepareCancellation",
  "prepareReplacement",
  "prepareChild",
  "chooseSweepHandle",
  "prepareSweep",
  "prepareSweepReplacement",
]);

/**
 * The same wallet, which signs nothing while its node is behind the blocks that we have read: such a node has forgotten payments
 * of ours, and offers what they have spent once more (engine law 18). `readTip` gives the height of the newest of these blocks, and
 * `checkPayments` throws while the wallet shows a payment that no row knows.
 */
export function signOnlyWhenCurrent<Wallet extends NetworkWallet>(
  wallet: Wallet,
  reader: Pick<NetworkReader, "head">,
  { readTip, checkPayments }: { readTip(): Promise<number | null>; checkPayments(): Promise<void> },
): Wallet {
  let firstHead: number | null = null;
  const requireCurrent = async (): Promise<void> => {
    // Before the head: what is read in between would make the node look as if it were behind.
    const tip = await readTip();
    const { height } = await reader.head();
    if (tip !== null && height < tip)
      throw new NodeBehindError(
        `the node of ${wallet.networkTitle} is at block ${height}, behind block ${tip}: it signs nothing`,
      );
    // What was paid before this process began may stand in blocks that no row knows yet, as after the restore of a backup.
    firstHead ??= height;
    if (tip === null || tip < firstHead)
      throw new NodeBehindError(`block ${firstHead} of ${wallet.networkTitle} was not read yet: nothing is signed`);
    await checkPayments();
  };
  return new Proxy(wallet, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      const call = (...given: unknown[]): unknown => Reflect.apply(member, target, given);
      if (!SIGNING_CALLS.has(String(name))) return call;
      return async (...given: unknown[]) => {
        await requireCurrent();
        return call(...given);
      };
    },
  });
}
