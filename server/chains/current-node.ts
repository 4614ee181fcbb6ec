import { setTimeout as delay } from "node:timers/promises";
import { NodeBehindError, type NetworkReader, type NetworkWallet } from "./port.ts";

/** The calls whose result depends on what the node has seen of our own payments. */
export const SIGNING_CALLS: ReadonlySet<string> = new Set([
  "chooseHandle",
  "chooseConsolidation",
  "prepare",
  "prepareCancellation",
  "prepareReplacement",
  "prepareChild",
  "chooseSweepHandle",
  "prepareSweep",
  "prepareSweepReplacement",
  "prepareSweepCancellation",
]);

/** Where blocks come faster than they are read, those up to the head that was seen are waited for. */
const READ_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 50;

/**
 * The same wallet, which signs nothing while its node is behind the blocks that we have read: such a node has forgotten payments
 * of ours, and offers what they have spent once more (engine law 18). Nor does it sign while these blocks are more than `maxLag` behind the
 * node: the newer ones may hold payments that a database which fell back has forgotten. `readTip` gives the height of the newest that was
 * read, `checkDatabase` how often the database was started anew, and `checkPayments` throws while the wallet shows a payment that no row knows.
 */
export function signOnlyWhenCurrent<Wallet extends NetworkWallet>(
  wallet: Wallet,
  reader: Pick<NetworkReader, "head">,
  {
    readTip,
    checkDatabase,
    checkPayments,
    maxLag,
  }: {
    readTip(): Promise<number | null>;
    checkDatabase(): Promise<number>;
    checkPayments(): Promise<void>;
    maxLag: number;
  },
): Wallet {
  let first: { height: number; starts: number } | null = null;
  const requireCurrent = async (): Promise<void> => {
    const starts = await checkDatabase();
    if (first !== null && first.starts !== starts) {
      first = null;
      throw new NodeBehindError("the database was started anew: what is due is read once more before it is signed");
    }
    // Before the head: what is read in between would make the node look as if it were behind.
    const tip = await readTip();
    const { height } = await reader.head();
    if (tip !== null && height < tip)
      throw new NodeBehindError(
        `the node of ${wallet.networkTitle} is at block ${height}, behind block ${tip}: it signs nothing`,
      );
    // What was paid before this process or its database began may stand in blocks that no row knows yet, as after the restore of a backup.
    first ??= { height, starts };
    const required = Math.max(first.height, height - maxLag);
    if (!(await isReadSoon(tip, required)))
      throw new NodeBehindError(`block ${required} of ${wallet.networkTitle} was not read yet: nothing is signed`);
    await checkPayments();
  };
  const isReadSoon = async (tip: number | null, required: number): Promise<boolean> => {
    const until = performance.now() + READ_WITHIN_MS;
    let read = tip;
    while (read === null || read < required) {
      if (performance.now() > until) return false;
      await delay(LOOK_EVERY_MS);
      read = await readTip();
    }
    return true;
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
