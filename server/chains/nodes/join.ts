import { SIGNING_CALLS } from "../current-node.ts";
import {
  NotEnoughFundsError,
  PaymentRefusedError,
  type BroadcastResult,
  type HeldAt,
  type NetworkReader,
  type NetworkWallet,
  type ObservedBlock,
  type PreparedPayment,
  type RecentPayment,
} from "../port.ts";
import { agreedAnswer } from "./agreed-answer.ts";
import { PROBE_TIMEOUT_MS, within } from "./node-health.ts";
import { createNodeSet, type NetworkNode, type NodeSet, type NodeSetOptions } from "./node-set.ts";

/**
 * One network over several nodes. A block counts once enough of them show it and what it holds; what is only read comes from the first that answers, best
 * first; a payment is signed over nodes that are not behind, and sent by the first that accepts it. One node is used as it is.
 */
export function joinNodes(nodes: readonly [NetworkNode, ...NetworkNode[]], options: NodeSetOptions) {
  const [first] = nodes;
  if (nodes.length === 1) return { reader: first.reader, wallet: first.wallet };
  const set = createNodeSet(nodes, options);
  return {
    reader: joinReaders(first.reader, set),
    wallet: first.wallet === null ? null : joinWallets(first.wallet, set, options.timeoutMs),
  };
}

function joinReaders(first: NetworkReader, set: NodeSet): NetworkReader {
  const read = <Answer>(call: (reader: NetworkReader) => Promise<Answer> | Answer) =>
    firstAnswer(set.ordered(), async ({ reader }) => call(reader));
  return {
    ...first,
    networkTitle: first.networkTitle,
    feeSlug: first.feeSlug,
    parseAddress: (text) => first.parseAddress(text),
    ...(first.parseMemo && { parseMemo: (text: string) => first.parseMemo?.(text) ?? { valid: false as const } }),
    depositAddress: (index) => first.depositAddress(index),
    depositUri: (address, memo, slug, amount) => first.depositUri(address, memo, slug, amount),
    head: () => set.head(),
    blockAt: async (height) => {
      const agreed = await set.nodesAt(height);
      if (agreed === null) return null;
      const { hash } = agreed.block;
      return agreedAnswer(agreed.nodes, {
        ask: async ({ name, reader }) => {
          const block = await reader.blockAt(height);
          if (block?.hash !== hash) throw new Error(`${name} no longer shows block ${hash}`);
          return block;
        },
        // A node may give a block its true hash, and still say what it likes of what is in it.
        textOf: contentOf,
        isEnough: set.isEnough,
        about: `what block ${hash} holds`,
      });
    },
    blockRefAt: async (height) => (await set.nodesAt(height))?.block ?? null,
    ...(first.mempool && {
      // All are asked, because a node watches those addresses only that it was asked about before; the best one's answer counts.
      mempool: async (lastIndex: () => Promise<bigint>) => {
        const nodes = set.ordered();
        const answers = await Promise.allSettled(nodes.map(async ({ reader }) => reader.mempool?.(lastIndex) ?? []));
        return firstAnswer(answers, async (answer) => {
          if (answer.status === "rejected") throw asError(answer.reason);
          return answer.value;
        });
      },
    }),
    ...(first.balancesAt && {
      // Asked by the block's hash, so that a node on another branch fails instead of answering. Deposits are credited by it.
      balancesAt: (blockHash: string, asked: readonly HeldAt[]) =>
        agreedAnswer(set.ordered(), {
          ask: ({ reader }) =>
            reader.balancesAt?.(blockHash, asked) ?? Promise.reject(new Error("balances are not known")),
          textOf: String,
          isEnough: set.isEnough,
          about: `what addresses hold after block ${blockHash}`,
        }),
    }),
    estimateFee: (slug) => read((reader) => reader.estimateFee(slug)),
  };
}

/** What is credited of a block, which payments in it pay nobody, and what sweeps it has, in whichever order a node lists them. */
const contentOf = ({ transfers, toOurselves = [], moved = [] }: ObservedBlock): string =>
  [
    ...transfers.map((one) =>
      [one.txId, one.outputIndex, one.toAddress, one.memo, one.slug, one.amount, one.reviewReason].join(" "),
    ),
    ...toOurselves.map((txId) => `${txId} to ourselves`),
    ...moved.map((one) => `${one.txId} moved ${one.amount} ${one.slug} of ${one.fromAddress}`),
  ]
    .sort()
    .join("\n");

/** What a wallet does over its nodes; whatever it can do beside this is read from the first node that answers. */
function joinWallets(first: NetworkWallet, set: NodeSet, timeoutMs = PROBE_TIMEOUT_MS): NetworkWallet {
  const answers: AnswersOf = (call) => answersOf(set, call, timeoutMs);
  const special: Partial<NetworkWallet> = {
    hotAddress: () => hotAddressOf(walletsOf(set.ordered())),
    maxCost: (handle) => first.maxCost(handle),
    broadcast: (prepared) => broadcastOver(walletsOf(set.ordered()), prepared),
    ...(first.recentPayments && {
      recentPayments: (height: number) => recentOver(answers, set, height),
    }),
    ...(first.noncesUsed && {
      noncesUsed: (address: string, height: number) =>
        agreedAnswer(set.ordered(), {
          ask: async ({ wallet }) => (await wallet?.noncesUsed?.(address, height)) ?? null,
          textOf: (count) => `${count?.hash} ${count?.used}`,
          isEnough: set.isEnough,
          about: `the nonces that ${address} has used up to block ${height}`,
        }),
    }),
    ...(first.deadAt && { deadAt: (prepared, height) => deadOver(set, prepared, height) }),
  };
  return new Proxy(first, {
    get: (target, name) => {
      if (Object.hasOwn(special, name)) return Reflect.get(special, name);
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      const nodes = () => (SIGNING_CALLS.has(String(name)) ? set.current() : set.ordered());
      return (...given: unknown[]) =>
        firstAnswer(walletsOf(nodes()), async (wallet): Promise<unknown> => {
          const call: unknown = Reflect.get(wallet, name, wallet);
          if (typeof call !== "function") throw new Error(`${wallet.networkTitle} has no ${String(name)}`);
          return Reflect.apply(call, wallet, given);
        });
    },
  });
}

/**
 * A payment may be in the mempool of one node alone, so what any of them shows is there; what one merely counts is there where enough of them
 * say so. Nodes that fail or hang don't count.
 */
async function recentOver(answers: AnswersOf, set: NodeSet, height: number): Promise<RecentPayment[]> {
  const seen = await answers(async (one) => (await one.recentPayments?.(height)) ?? []);
  const saying = (key: string | undefined): number =>
    seen.filter((payments) => payments.some((one) => one.key === key)).length;
  return seen.flat().filter(({ txId, key }) => txId !== null || set.isEnough(saying(key), seen.length));
}

/** What the nodes answer that are not behind; throws where fewer do than must agree. */
type AnswersOf = <Answer>(call: (wallet: NetworkWallet) => Promise<Answer>) => Promise<Answer[]>;

async function answersOf<Answer>(
  set: NodeSet,
  call: (wallet: NetworkWallet) => Promise<Answer>,
  timeoutMs: number,
): Promise<Answer[]> {
  const results = await Promise.allSettled(walletsOf(set.current()).map((wallet) => within(timeoutMs, call(wallet))));
  const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  if (set.isEnough(answers.length, answers.length)) return answers;
  const failed = results.find((result) => result.status === "rejected");
  throw asError(failed?.reason ?? new Error("too few nodes show their mempool"));
}

/** Sends by the first node that accepts; it is refused only when every node says so. */
async function broadcastOver(wallets: readonly NetworkWallet[], prepared: PreparedPayment): Promise<BroadcastResult> {
  const results: Exclude<BroadcastResult, { kind: "accepted" }>[] = [];
  for (const wallet of wallets) {
    const result = await wallet.broadcast(prepared);
    if (result.kind === "accepted") return result;
    results.push(result);
  }
  const isRefused = results.length > 0 && results.every(({ kind }) => kind === "refused");
  return { kind: isRefused ? "refused" : "unknown", reason: results.map(({ reason }) => reason).join("; ") };
}

/** Other bytes follow a dead payment, so one node that is wrong must not be enough. */
async function deadOver(set: NodeSet, prepared: PreparedPayment, height: number): Promise<string | null> {
  const results = await Promise.allSettled(
    walletsOf(set.ordered()).map(async (wallet) => wallet.deadAt?.(prepared, height) ?? null),
  );
  const hashes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const proof = hashes.find((hash) => hash !== null) ?? null;
  return set.isEnough(hashes.filter((hash) => hash === proof).length, hashes.length) ? proof : null;
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

/** Throws the first failure when every node fails, or what a node says of the payment itself. */
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
  const isOfPayment = (error: Error) => error instanceof PaymentRefusedError || error instanceof NotEnoughFundsError;
  throw failures.find(isOfPayment) ?? failures[0] ?? new Error("every node is behind the block on which they agree");
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
