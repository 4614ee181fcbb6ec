import type { SimulatedNode } from "../../../server/chains/simulated/node.ts";

/** Faults that a test injects into a node; none by default. */
export type NodeFaults = {
  /** How the next broadcasts fail: the request never arrives, or its response is lost. */
  broadcasts: ("lost-request" | "lost-reply")[];
  /** How many blocks the node lags. */
  lag: number;
  /** How many blocks old each of the next heads is. */
  staleHeads: number[];
  /** Blocks that it reports and doesn't have. */
  fabricatedBlocks: number;
  /** Transactions that it hides. */
  hiddenTransactions: Set<string>;
  /** Whether its mempool can't be read. */
  isMempoolDown: boolean;
  isDown: boolean;
};

export const noFaults = (): NodeFaults => ({
  broadcasts: [],
  lag: 0,
  staleHeads: [],
  fabricatedBlocks: 0,
  hiddenTransactions: new Set(),
  isMempoolDown: false,
  isDown: false,
});

/** The same node with the faults applied to each call; the chain itself is never changed. */
export function faultyNode(node: SimulatedNode, faults: NodeFaults): SimulatedNode {
  const answer = () => {
    if (faults.isDown) throw new Error("the node does not answer");
  };
  const shownHeight = async () => (await node.head()).height - faults.lag - (faults.staleHeads.shift() ?? 0);

  return {
    head: async () => {
      answer();
      const head = await node.blockAt(await shownHeight());
      if (head === null) throw new Error("the node has no block");
      const { height, hash, parentHash } = head;
      return faults.fabricatedBlocks === 0
        ? { height, hash, parentHash }
        : { height: height + faults.fabricatedBlocks, hash: `${hash}-fabricated`, parentHash: hash };
    },
    blockAt: async (height) => {
      answer();
      const block = height > (await shownHeight()) ? null : await node.blockAt(height);
      return (
        block && { ...block, transfers: block.transfers.filter(({ txId }) => !faults.hiddenTransactions.has(txId)) }
      );
    },
    mempool: async () => {
      answer();
      if (faults.isMempoolDown) throw new Error("the node does not answer");
      return (await node.mempool()).filter(({ txId }) => !faults.hiddenTransactions.has(txId));
    },
    exists: (address) => node.exists(address),
    submit: async (prepared) => {
      const fault = faults.isDown ? "lost-request" : faults.broadcasts.shift();
      if (fault === "lost-request") return { kind: "unknown", reason: "the request was lost" };
      const result = await node.submit(prepared);
      return fault === "lost-reply" ? { kind: "unknown", reason: "the answer was lost" } : result;
    },
    lookup: async (txId) => {
      answer();
      return faults.hiddenTransactions.has(txId) ? { kind: "absent" } : node.lookup(txId);
    },
    feePercent: async () => {
      answer();
      return node.feePercent();
    },
    balance: async (address, slug) => {
      answer();
      return node.balance(address, slug);
    },
    nextNonce: async (sender) => {
      answer();
      return node.nextNonce(sender);
    },
    unspent: async (address, slug) => {
      answer();
      return node.unspent(address, slug);
    },
  };
}
