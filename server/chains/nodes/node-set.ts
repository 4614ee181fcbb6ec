import type { Log } from "../../base/logging/log.ts";
import type { BlockRef, NetworkReader, NetworkWallet } from "../port.ts";
import { createNodeHealth, type NodeHealth } from "./node-health.ts";

/** One of several nodes of a network, by a driver of its own; `name` never holds a password. */
export type NetworkNode = { name: string; reader: NetworkReader; wallet: NetworkWallet | null };

export type NodeSetOptions = {
  /** How many nodes must agree on a block; null: the majority of those that answer. */
  nodesToAgree: number | null;
  log: Log;
  now?: () => number;
  timeoutMs?: number;
};

type Member = NetworkNode & { health: NodeHealth; height: number | null };
type Vote = { member: Member; block: BlockRef | null };

/** What several nodes of a network say together, and in which order they are asked. */
export type NodeSet = {
  head(): Promise<BlockRef & { highestHeight: number }>;
  /** The nodes that show the block of a height on which enough of them agree; empty while they don't. */
  nodesAt(height: number): Promise<{ block: BlockRef; nodes: readonly NetworkNode[] } | null>;
  /** The nodes to ask, best first: those that answer, and of them those that have what the nodes agree on. */
  ordered(): readonly NetworkNode[];
  /** The same without those that are behind. */
  current(): readonly NetworkNode[];
  /** Whether the calls of so many nodes decide something. */
  isEnough(agreeing: number, answering: number): boolean;
};

/** A fork among the nodes is seldom deeper. */
const MAX_DISAGREEMENT = 64;

export function createNodeSet(nodes: readonly NetworkNode[], options: NodeSetOptions): NodeSet {
  const { nodesToAgree, log } = options;
  const members: Member[] = nodes.map((node) => ({ ...node, height: null, health: healthOf(node, options) }));
  let agreedHeight: number | null = null;

  /** All, when none answers: the first that does so again is noticed at once. */
  const usable = (): Member[] => {
    const found = members.filter(({ health }) => health.isUsable());
    return found.length > 0 ? found : members;
  };

  const gather = async (asked: readonly Member[], call: (member: Member) => Promise<BlockRef | null>) => {
    const results = await Promise.allSettled(asked.map((member) => member.health.ask(() => call(member))));
    const votes = results.flatMap((result, at): Vote[] => {
      const member = asked[at];
      return result.status === "fulfilled" && member !== undefined ? [{ member, block: result.value }] : [];
    });
    const needed = votesNeeded(votes.length, nodesToAgree);
    if (votes.length > 0 && votes.length >= needed) return { votes, needed };
    const reasons = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
    throw new Error(`${votes.length} of ${members.length} nodes answer, ${needed} must agree: ${reasons.join("; ")}`);
  };

  const head: NodeSet["head"] = async () => {
    const { votes, needed } = await gather(usable(), ({ reader }) => reader.head());
    const heads = votes.flatMap(({ member, block }) => (block === null ? [] : [{ member, block }]));
    for (const { member, block } of heads) member.height = block.height;
    const heights = heads.map(({ block }) => block.height);
    const from = reachedHeight(heights, needed) ?? 0;
    for (let height = from; height >= Math.max(0, from - MAX_DISAGREEMENT); height -= 1) {
      const asked = heads.filter(({ block }) => block.height >= height);
      const known = new Map(asked.map(({ member, block }) => [member, block.height === height ? block : null]));
      const gathered = await gather(
        asked.map(({ member }) => member),
        async (member) => known.get(member) ?? refAt(member.reader, height),
      );
      const agreed = agreedBlock(
        gathered.votes.map(({ block }) => block),
        needed,
      );
      if (agreed === null) continue;
      agreedHeight = height;
      return { ...refOf(agreed), highestHeight: Math.max(...heights) };
    }
    throw new Error(`the nodes agree on none of the last ${MAX_DISAGREEMENT} blocks`);
  };

  const byOrder = (one: Member, other: Member): number => Number(isBehind(one)) - Number(isBehind(other));
  const isBehind = ({ height }: Member): boolean => agreedHeight !== null && height !== null && height < agreedHeight;

  return {
    head,
    nodesAt: async (height) => {
      const { votes, needed } = await gather(usable(), ({ reader }) => refAt(reader, height));
      const block = agreedBlock(
        votes.map((vote) => vote.block),
        needed,
      );
      if (block === null) return null;
      const agreeing = votes.filter((vote) => vote.block?.hash === block.hash);
      return { block, nodes: agreeing.map(({ member }) => member) };
    },
    ordered: () => usable().toSorted(byOrder),
    current: () => usable().filter((member) => !isBehind(member)),
    isEnough: (agreeing, answering) => answering > 0 && agreeing >= votesNeeded(answering, nodesToAgree),
  };

  function healthOf({ name, reader }: NetworkNode, { now, timeoutMs }: NodeSetOptions): NodeHealth {
    const { networkTitle } = reader;
    return createNodeHealth({
      probe: () => reader.head(),
      onChange: (isUsable, reason) => {
        if (isUsable) log.info({ networkTitle, node: name }, "the node answers again");
        else log.error({ networkTitle, node: name, reason }, "the node does not answer; others are asked instead");
      },
      ...(now && { now }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }
}

const refAt = (reader: NetworkReader, height: number): Promise<BlockRef | null> =>
  reader.blockRefAt?.(height) ?? reader.blockAt(height);

const refOf = ({ height, hash, parentHash, minedAt }: BlockRef): BlockRef => ({
  height,
  hash,
  parentHash,
  ...(minedAt !== undefined && { minedAt }),
});

/** How many of the nodes that answer must show the same block: the configured number, else the majority. */
const votesNeeded = (answering: number, configured: number | null): number =>
  configured ?? Math.floor(answering / 2) + 1;

/** The block that enough nodes show at a height, or null; a node that has none there votes with null. */
function agreedBlock(votes: readonly (BlockRef | null)[], needed: number): BlockRef | null {
  for (const vote of votes)
    if (vote !== null && votes.filter((other) => other?.hash === vote.hash).length >= needed) return vote;
  return null;
}

/** The greatest height that so many of the nodes have reached; null where there are fewer nodes. */
function reachedHeight(heights: readonly number[], needed: number): number | null {
  return heights.toSorted((one, other) => other - one)[needed - 1] ?? null;
}
