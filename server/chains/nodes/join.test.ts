import { describe, expect, it } from "vitest";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createLog } from "../../base/logging/log.ts";
import { createNetworkStatus, monitorReader } from "../network-status.ts";
import type { NetworkReader, NetworkWallet, Payment, RecentPayment } from "../port.ts";
import { joinNodes } from "./join.ts";

const log = createLog({ level: "silent" });
const TIMEOUT_MS = 60;
const payment: Payment = { slug: "eth", toAddress: "somebody", toMemo: null, amount: 5n };

/** Nodes that show the same blocks, as long as a test doesn't let one of them mine or fail alone. */
function given(count: number, nodesToAgree: number | null = null) {
  const truth = new FakeChain();
  truth.mine(3);
  const chains = Array.from({ length: count }, () => Object.assign(new FakeChain(), { blocks: [...truth.blocks] }));
  const [first, ...others] = chains.map((chain, at) => ({ name: `node ${at}`, reader: chain, wallet: chain }));
  if (first === undefined) throw new Error("a network has a node");
  const { reader, wallet } = joinNodes([first, ...others], { nodesToAgree, log, timeoutMs: TIMEOUT_MS });
  if (wallet === null) throw new Error("the nodes have wallets");
  const mineOn = (...lucky: number[]) => {
    const [from = 0] = lucky;
    const chain = chains[from];
    chain?.mine();
    // The chains of a test count their hashes alike.
    if (chain) Object.assign(chain.tip, { hash: `${chain.tip.hash} by ${from}` });
    for (const at of lucky) Object.assign(chains[at] ?? {}, { blocks: [...(chains[from]?.blocks ?? [])] });
    return chains[from]?.tip;
  };
  return { chains, reader, wallet, mineOn };
}
const hang = (chain: FakeChain) => {
  const hanging = () => new Promise<never>(() => undefined);
  Object.assign(chain, { head: hanging, blockAt: hanging });
};
const recover = (chain: FakeChain) => {
  for (const name of ["head", "blockAt"]) Reflect.deleteProperty(chain, name);
};

describe("a block", () => {
  it("that only one of two nodes shows is not there, until the other one shows it too", async () => {
    const { reader, mineOn } = given(2);
    const mined = mineOn(1);
    expect(await reader.blockAt(4)).toBeNull();
    expect(await reader.head()).toMatchObject({ height: 3, highestHeight: 4 });
    mineOn(1, 0);
    expect(await reader.blockAt(4)).toMatchObject({ hash: mined?.hash });
    expect(await reader.head()).toMatchObject({ height: 5, highestHeight: 5 });
  });

  it("is the one that the majority shows, whichever node is asked first", async () => {
    for (const liar of [0, 1, 2]) {
      const { reader, mineOn, chains } = given(3);
      const honest = [0, 1, 2].filter((at) => at !== liar);
      mineOn(liar);
      const truth = mineOn(...honest);
      expect(chains[liar]?.tip.hash).not.toBe(truth?.hash);
      expect((await reader.head()).hash).toBe(truth?.hash);
      expect((await reader.blockAt(4))?.hash).toBe(truth?.hash);
    }
  });

  it("is returned by a node that agrees when another one fails in between", async () => {
    const { reader, chains } = given(2);
    const [first] = chains;
    if (first)
      Object.assign(first, { blockRefAt: first.blockAt, blockAt: () => Promise.reject(new Error("too slow")) });
    expect(await reader.blockAt(2)).toMatchObject({ height: 2 });
  });

  it("needs the configured number of nodes, even when fewer answer", async () => {
    const { reader, chains, mineOn } = given(3, 2);
    mineOn(0, 1);
    expect(await reader.head()).toMatchObject({ height: 4 });
    for (const at of [1, 2]) Object.assign(chains[at] ?? {}, { isDown: true });
    await expect(reader.blockAt(4)).rejects.toThrow("1 of 3 nodes answer, 2 must agree");
  });

  it("is shown by one node while it is the only one that answers, where no number is configured", async () => {
    const { reader, chains, mineOn } = given(2);
    mineOn(1);
    Object.assign(chains[0] ?? {}, { isDown: true });
    expect(await reader.blockAt(4)).toMatchObject({ height: 4 });
  });

  it("is none on which enough nodes agree while they are on two forks: the last common one is the head", async () => {
    const { reader, mineOn } = given(2);
    mineOn(0);
    mineOn(0);
    mineOn(1);
    mineOn(1);
    expect(await reader.head()).toMatchObject({ height: 3, highestHeight: 5 });
    expect(await reader.blockAt(4)).toBeNull();
  });
});

describe("the content of a block", () => {
  const invented = (chain: FakeChain | undefined) => {
    if (chain === undefined) return;
    const blockAt = chain.blockAt.bind(chain);
    const transfer = { txId: "invented", outputIndex: -1, toAddress: "ours", slug: "eth", amount: 5n };
    const withMore = async (height: number) => {
      const block = await blockAt(height);
      return block && { ...block, transfers: [...block.transfers, transfer] };
    };
    Object.assign(chain, { blockRefAt: blockAt, blockAt: withMore });
  };

  it("is what the majority says, whichever node invents something in a block of the true hash", async () => {
    for (const liar of [0, 1, 2]) {
      const { reader, chains } = given(3);
      invented(chains[liar]);
      expect(await reader.blockAt(2)).toMatchObject({ height: 2, transfers: [] });
    }
  });

  it.each([
    ["calls a payment one to ourselves", { toOurselves: ["a payment"] }],
    ["shows a sweep", { moved: [{ txId: "a sweep", fromAddress: "ours", slug: "eth", amount: 5n }] }],
  ])("is not reported either while one of two nodes alone %s", async (_, invention) => {
    for (const liar of [0, 1]) {
      const { reader, chains } = given(2);
      const chain = chains[liar];
      const blockAt = chain?.blockAt.bind(chain);
      const pretending = async (height: number) => {
        const block = (await blockAt?.(height)) ?? null;
        return block && { ...block, ...invention };
      };
      Object.assign(chain ?? {}, { blockRefAt: blockAt, blockAt: pretending });
      await expect(reader.blockAt(2)).rejects.toThrow("too few nodes agree on what block");
    }
  });

  it("is not reported while one of two nodes answers otherwise", async () => {
    for (const liar of [0, 1]) {
      const { reader, chains } = given(2);
      invented(chains[liar]);
      await expect(reader.blockAt(2)).rejects.toThrow("too few nodes agree on what block");
    }
  });
});

describe("the balances of addresses after a block", () => {
  const asked = [{ address: "ours", slug: "eth" }];
  /** What each node says; null for one that fails. */
  const heldBy = (...answers: (bigint | null)[]) => {
    const chains = answers.map((answer) =>
      Object.assign(new FakeChain(), {
        balancesAt: async () => {
          if (answer === null) throw new Error("header not found");
          return [answer];
        },
      }),
    );
    const [first, ...others] = chains.map((chain, at) => ({ name: `node ${at}`, reader: chain, wallet: null }));
    if (first === undefined) throw new Error("a network has a node");
    return joinNodes([first, ...others], { nodesToAgree: null, log }).reader.balancesAt?.("genesis", asked);
  };

  it("is what the majority of those that know it say, for a deposit is credited by it", async () => {
    for (const answers of [
      [9n, 5n, 5n],
      [5n, 9n, 5n],
      [null, 5n, 5n],
      [5n, null, null],
    ])
      expect(await heldBy(...answers)).toEqual([5n]);
  });

  it("is not reported while one of two answers otherwise, or none knows it", async () => {
    await expect(heldBy(9n, 5n)).rejects.toThrow("too few nodes agree on what addresses hold after block genesis");
    await expect(heldBy(null, null)).rejects.toThrow("header not found");
  });
});

describe("a node that hangs", () => {
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };

  it("is waited for once, and asked again in the background until it answers", async () => {
    const { reader, wallet, chains, mineOn } = given(2);
    const [first] = chains;
    if (first === undefined) throw new Error("there is a first node");
    hang(first);
    expect(await timed(() => reader.head())).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
    const quick = async () => {
      for (let times = 0; times < 20; times += 1) await reader.blockAt(2);
      await wallet.lookup("something");
    };
    // 21 that wait would take 21 times as long.
    expect(await timed(quick)).toBeLessThan(10 * TIMEOUT_MS);
    mineOn(1);
    expect(await reader.head()).toMatchObject({ height: 4 });
    recover(first);
    // Now it counts again, and it has not seen the new block.
    await expect.poll(async () => (await reader.head()).height, { timeout: 10_000 }).toBe(3);
  });
});

describe("what is only read", () => {
  it("comes from the next node when the first one fails, and fails when all do", async () => {
    const { reader, wallet, chains } = given(2);
    Object.assign(chains[0] ?? {}, { isDown: true });
    expect(await reader.estimateFee("eth")).toBe(21n);
    expect(await wallet.hotBalance("eth")).toBe(10n ** 30n);
    Object.assign(chains[1] ?? {}, { isDown: true });
    await expect(reader.estimateFee("eth")).rejects.toThrow("does not answer");
  });

  it("comes from a node that is not behind", async () => {
    const { reader, wallet, chains, mineOn } = given(3);
    const txId = chains[1]?.deposit("somebody", "eth", 1n) ?? "";
    mineOn(1, 2);
    await reader.head();
    expect(await wallet.lookup(txId)).toMatchObject({ kind: "mined" });
  });
});

describe("a payment", () => {
  const counting = (chains: FakeChain[]) => {
    const asked: number[] = [];
    chains.forEach((chain, at) => {
      const choose = chain.chooseHandle.bind(chain);
      const chooseHandle: NetworkWallet["chooseHandle"] = (payment, reserved) => {
        asked.push(at);
        return choose(payment, reserved);
      };
      Object.assign(chain, { chooseHandle });
    });
    return asked;
  };

  it("is never signed over a node that is behind what the nodes agree on", async () => {
    const { reader, wallet, chains, mineOn } = given(3);
    const asked = counting(chains);
    mineOn(1, 2);
    await reader.head();
    await wallet.chooseHandle(payment, []);
    for (const at of [1, 2]) Object.assign(chains[at] ?? {}, { isDown: true });
    await expect(wallet.chooseHandle(payment, [])).rejects.toThrow();
    expect(asked).not.toContain(0);
  });

  it("is accepted when one node accepts it, and unknown with every reason when none does", async () => {
    const { wallet, chains } = given(2);
    const prepared = await wallet.prepare(payment, await wallet.chooseHandle(payment, []));
    Object.assign(chains[0] ?? {}, { isDown: true });
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    expect(chains[1]?.pending).toHaveLength(1);
    Object.assign(chains[1] ?? {}, { isDown: true });
    expect(await wallet.broadcast(prepared)).toEqual({
      kind: "unknown",
      reason: "the request was lost; the request was lost",
    });
  });

  it("has as many before it on the chain as enough nodes say", async () => {
    const { wallet, chains } = given(3);
    const height = chains[0]?.tip.height ?? 0;
    const count = () => wallet.noncesUsed?.("hot", height);
    Object.assign(chains[0] ?? {}, { inventedNonces: 3, inventsInBlocks: true });
    expect(await count()).toMatchObject({ used: 0 });
    Object.assign(chains[1] ?? {}, { inventedNonces: 2, inventsInBlocks: true });
    await expect(count()).rejects.toThrow("too few nodes agree");
  });

  it("is dead only when enough nodes prove it by the same block", async () => {
    const { chains } = given(3);
    const proofs = ["0xa", null, null] as (string | null)[];
    const nodes = chains.map((chain, at) => ({
      name: `node ${at}`,
      reader: chain as NetworkReader,
      wallet: Object.assign(chain, { deadAt: async () => proofs[at] ?? null }) as NetworkWallet,
    }));
    const [first, ...others] = nodes;
    if (first === undefined) throw new Error("there are nodes");
    const { wallet } = joinNodes([first, ...others], { nodesToAgree: null, log });
    const dead = () => wallet?.deadAt?.({ raw: "", txId: "" }, 1);
    expect(await dead()).toBeNull();
    proofs[2] = "0xb";
    expect(await dead()).toBeNull();
    proofs[2] = "0xa";
    expect(await dead()).toBe("0xa");
  });
});

it("a network is down while one node is ahead of what they agree on by more than the bound", async () => {
  const { reader, mineOn } = given(2);
  const status = createNetworkStatus({ log, limits: new Map([["ETH", { standstillSeconds: 144, lagBlocks: 2 }]]) });
  const monitored = monitorReader(reader, status);
  for (const isUp of [true, true, false]) {
    mineOn(1);
    await monitored.head();
    expect(status.isUp("ETH")).toBe(isUp);
  }
});

it("one node is used as it is", () => {
  const chain = new FakeChain();
  const joined = joinNodes([{ name: "node", reader: chain, wallet: chain }], { nodesToAgree: null, log });
  expect(joined.reader).toBe(chain);
  expect(joined.wallet).toBe(chain);
});

describe("what waits in the mempool", () => {
  const joined = (count: number) => {
    const nodes = Array.from({ length: count }, (_, at) => {
      const shows = { recentPayments: async () => [{ txId: `of ${at}`, height: null }] };
      const chain = Object.assign(new FakeChain(), shows);
      chain.mine(3);
      return { name: `node ${at}`, reader: chain, wallet: chain };
    });
    const [first, ...others] = nodes;
    if (first === undefined) throw new Error("a network has a node");
    return { nodes, ...joinNodes([first, ...others], { nodesToAgree: null, log, timeoutMs: TIMEOUT_MS }) };
  };

  it("is what any of them shows", async () => {
    const { wallet } = joined(2);
    expect(await wallet?.recentPayments?.(0)).toHaveLength(2);
  });

  const answering = (...answers: (() => Promise<RecentPayment[]>)[]) => {
    const { nodes, wallet } = joined(answers.length);
    nodes.forEach(({ wallet: own }, at) => Object.assign(own, { recentPayments: answers[at] }));
    return wallet?.recentPayments?.(0);
  };
  const none = async () => [];
  const counted = async () => [{ txId: null, height: null, key: "hot:7" }];

  it("is what the others say where one fails or hangs, and not known where all do", async () => {
    const failing = () => Promise.reject(new Error("the pool is closed"));
    const hanging = () => new Promise<never>(() => undefined);
    expect(await answering(failing, none, none)).toEqual([]);
    expect(await answering(none, hanging, none)).toEqual([]);
    await expect(answering(failing, failing, failing)).rejects.toThrow("the pool is closed");
  });

  it("is not what one of several merely counts, as long as the others don't", async () => {
    expect(await answering(none, counted, none)).toEqual([]);
    expect(await answering(counted, none, counted)).toHaveLength(2);
  });
});
