import {
  canSweep,
  type BroadcastResult,
  type Handle,
  type NetworkReader,
  type NetworkWallet,
  type SweepingWallet,
} from "../port.ts";
import { createNodeSet, type NetworkNode, type NodeSet, type NodeSetOptions } from "./node-set.ts";

/**
 * One network over several nodes. A block counts once enough of them show it; what is only read comes from the first that answers, best
 * first; a payment is signed over nodes that are not behind, and sent by the first that accepts it. One node is used as it is.
 */
export function joinNodes(nodes: readonly [NetworkNode, ...NetworkNode[]], options: NodeSetOptions) {
  const [first] = nodes;
  if (nodes.length === 1) return { reader: first.reader, wallet: first.wallet };
  const set = createNodeSet(nodes, options);
  return {
    reader: joinReaders(first.reader, set),
    wallet: first.wallet === null ? null : joinWallets(first.wallet, set),
  };
}

function joinReaders(first: NetworkReader, set: NodeSet): NetworkReader {
  const read = <Answer>(call: (reader: NetworkReader) => Promise<Answer> | Answer) =>
    firstAnswer(set.ordered(), async ({ reader }) => call(reader));
  return {
    networkTitle: first.networkTitle,
    feeSlug: first.feeSlug,
    ...(first.chain !== undefined && { chain: first.chain }),
    parseAddress: (text) => first.parseAddress(text),
    ...(first.parseMemo && { parseMemo: (text: string) => first.parseMemo?.(text) ?? { valid: false as const } }),
    depositAddress: (index) => first.depositAddress(index),
    depositUri: (address, memo, slug, amount) => first.depositUri(address, memo, slug, amount),
    head: () => set.head(),
    blockAt: async (height) => {
      const agreed = await set.nodesAt(height);
      if (agreed === null) return null;
      return firstAnswer(agreed.nodes, async ({ name, reader }) => {
        const block = await reader.blockAt(height);
        if (block?.hash !== agreed.block.hash) throw new Error(`${name} no longer shows block ${agreed.block.hash}`);
        return block;
      });
    },
    ...(first.mempool && {
      mempool: (lastIndex: () => Promise<bigint>) => read(async (reader) => (await reader.mempool?.(lastIndex)) ?? []),
    }),
    estimateFee: (slug) => read((reader) => reader.estimateFee(slug)),
  };
}

function joinWallets(first: NetworkWallet, set: NodeSet): NetworkWallet {
  const read = <Answer>(call: (wallet: NetworkWallet) => Promise<Answer>) =>
    firstAnswer(walletsOf(set.ordered()), call);
  const sign = <Answer>(call: (wallet: NetworkWallet) => Promise<Answer>) =>
    firstAnswer(walletsOf(set.current()), call);
  const sweeping =
    <Answer>(call: (wallet: SweepingWallet) => Promise<Answer>) =>
    async (wallet: NetworkWallet) => {
      if (!canSweep(wallet)) throw new Error(`${wallet.networkTitle} can't be swept`);
      return call(wallet);
    };

  const wallet: NetworkWallet = {
    networkTitle: first.networkTitle,
    hotAddress: () => hotAddressOf(walletsOf(set.ordered())),
    hotBalance: (slug) => read((one) => one.hotBalance(slug)),
    chooseHandle: (payment, reserved) => sign((one) => one.chooseHandle(payment, reserved)),
    maxCost: (handle) => first.maxCost(handle),
    prepare: (payment, handle) => sign((one) => one.prepare(payment, handle)),
    ...(first.prepareCancellation && {
      prepareCancellation: (handle: Handle) =>
        sign(async (one) => {
          if (one.prepareCancellation === undefined) throw new Error(`${one.networkTitle} can't cancel a payment`);
          return one.prepareCancellation(handle);
        }),
    }),
    ...(first.recentPayments && {
      // Every node's: a payment may be in the mempool of one alone.
      recentPayments: async (height: number) => {
        const shown = await Promise.all(walletsOf(set.current()).map((one) => one.recentPayments?.(height) ?? []));
        return shown.flat();
      },
    }),
    lookup: (txId) => read((one) => one.lookup(txId)),
    broadcast: async (prepared) => {
      const reasons: string[] = [];
      for (const one of walletsOf(set.ordered())) {
        const result: BroadcastResult = await one.broadcast(prepared);
        if (result.kind === "accepted") return result;
        reasons.push(result.reason);
      }
      return { kind: "unknown", reason: reasons.join("; ") };
    },
    ...(first.deadAt && {
      deadAt: async (prepared: Parameters<NonNullable<NetworkWallet["deadAt"]>>[0], height: number) => {
        const results = await Promise.allSettled(
          walletsOf(set.ordered()).map(async (one) => one.deadAt?.(prepared, height) ?? null),
        );
        const hashes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
        const proof = hashes.find((hash) => hash !== null) ?? null;
        // Other bytes follow a dead payment, so one node that is wrong must not be enough.
        return set.isEnough(hashes.filter((hash) => hash === proof).length, hashes.length) ? proof : null;
      },
    }),
  };
  if (!canSweep(first)) return wallet;
  const sweeper: SweepingWallet = {
    ...wallet,
    depositBalance: (from, slug) => read(sweeping((one) => one.depositBalance(from, slug))),
    sweepCost: (from, payment) => read(sweeping((one) => one.sweepCost(from, payment))),
    chooseSweepHandle: (from, payment, reserved) =>
      sign(sweeping((one) => one.chooseSweepHandle(from, payment, reserved))),
    prepareSweep: (from, payment, handle) => sign(sweeping((one) => one.prepareSweep(from, payment, handle))),
  };
  return sweeper;
}

const walletsOf = (nodes: readonly NetworkNode[]): NetworkWallet[] => nodes.flatMap(({ wallet }) => wallet ?? []);

/** Some wallets know their address only once their node has answered. */
function hotAddressOf(wallets: readonly NetworkWallet[]): string {
  const failures: Error[] = [];
  for (const wallet of wallets) {
    try {
      return wallet.hotAddress();
    } catch (error) {
      failures.push(asError(error));
    }
  }
  throw failures[0] ?? new Error("no node answers");
}

/** Throws the first failure when every node fails. */
async function firstAnswer<Asked, Answer>(
  asked: readonly Asked[],
  call: (one: Asked) => Promise<Answer>,
): Promise<Answer> {
  const failures: Error[] = [];
  for (const one of asked) {
    try {
      return await call(one);
    } catch (error) {
      failures.push(asError(error));
    }
  }
  throw failures[0] ?? new Error("every node is behind the block on which they agree");
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
