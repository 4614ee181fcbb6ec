import type { SimulatedNode } from "./node.ts";

/** What a node does wrong, on command; nothing until it is told. */
export type NodeFaults = {
  /** How the next broadcasts end: the request never arrives, or it does and its answer is lost. */
  broadcasts: ("lost-request" | "lost-reply")[];
  /** Blocks that the node is behind. */
  lag: number;
  /** The next views that are that many blocks old, one for each look at the chain's end. */
  stutters: number[];
  /** Blocks that it claims to have and doesn't. */
  boast: number;
  /** Transactions that it denies. */
  denied: Set<string>;
  isDown: boolean;
};

export const noFaults = (): NodeFaults => ({
  broadcasts: [],
  lag: 0,
  stutters: [],
  boast: 0,
  denied: new Set(),
  isDown: false,
});

/** The same node, misbehaving as `faults` says at each call; it never changes what the chain itself holds. */
export function faultyNode(node: SimulatedNode, faults: NodeFaults): SimulatedNode {
  const answer = () => {
    if (faults.isDown) throw new Error("the node does not answer");
  };
  const shownHeight = async () => (await node.head()).height - faults.lag - (faults.stutters.shift() ?? 0);

  return {
    head: async () => {
      answer();
      const head = await node.blockAt(await shownHeight());
      if (head === null) throw new Error("the node has no block");
      const { height, hash, parentHash } = head;
      return faults.boast === 0
        ? { height, hash, parentHash }
        : { height: height + faults.boast, hash: `${hash}-imagined`, parentHash: hash };
    },
    blockAt: async (height) => {
      answer();
      const block = height > (await shownHeight()) ? null : await node.blockAt(height);
      return block && { ...block, transfers: block.transfers.filter(({ txId }) => !faults.denied.has(txId)) };
    },
    submit: async (prepared) => {
      const fault = faults.isDown ? "lost-request" : faults.broadcasts.shift();
      if (fault === "lost-request") return { outcome: "unknown", reason: "the request was lost" };
      const result = await node.submit(prepared);
      return fault === "lost-reply" ? { outcome: "unknown", reason: "the answer was lost" } : result;
    },
    lookup: async (txId) => {
      answer();
      return faults.denied.has(txId) ? { kind: "absent" } : node.lookup(txId);
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
