import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parseAmount } from "#contract/money.ts";
import type { CoinOrder } from "#contract/order.ts";
import type { Payment, PreparedPayment } from "../../server/chains/port.ts";
import { hexOfBase58 } from "../../server/chains/addresses/trx.ts";
import { violations } from "../support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { makeDue } from "../support/database/due-rows.ts";
import { createTestEngine, kindsOf, orderBody, StillRates, type TestEngine } from "../support/scenarios/test-engine.ts";
import type { Call } from "../support/tron-node/node.ts";
import {
  CONFIRMATIONS,
  FAKE_USDT,
  newAddress,
  PACE,
  startTronSetup,
  tronCatalogue,
  USDT,
  type TronSetup,
} from "./support/tron.ts";

const COIN = {
  trx: { currencyTitle: "TRX", networkTitle: "TRX", slug: "trx" },
  usdt: { currencyTitle: "USDT", networkTitle: "TRX", slug: "usdt-trc20" },
};
const client = { key: "test", traceId: "test" };
const HUNDRED = 100_000_000n;
const SOLID_LAG = PACE.solidLag;
/** Blocks until a final one is a minute younger than what was the newest, which is how long a payment lives. */
const LIFETIME_BLOCKS = SOLID_LAG + 60_000 / PACE.blockMs;
/** Blocks after which what was just mined is final and credited. */
const DEEP = SOLID_LAG + CONFIRMATIONS;
const BROADCAST = "wallet/broadcasttransaction";

let database: TestDatabase;
let tron: TronSetup;
let testEngine: TestEngine;
const orders: CoinOrder[] = [];

beforeAll(async () => {
  [database, tron] = await Promise.all([freshDatabase(), startTronSetup()]);
  const rates = new StillRates();
  rates.fees.set("usdt-trc20", 20_000_000n);
  rates.prices.set("trx", 10n ** 18n).set("usdt-trc20", 10n ** 18n);
  testEngine = await createTestEngine({ database, ...tron.network(), rates, catalogue: await tronCatalogue() });
  await testEngine.settle();
});
afterEach(() => tron.node.behave());
afterAll(async () => {
  await tron.node.stop();
  await database.drop();
});

const create = async (give: "trx" | "usdt", refundAddress: string | null = null): Promise<CoinOrder> => {
  const order = await testEngine.engine.orderService.create(
    orderBody({
      rateMode: refundAddress === null ? "FLOATING" : "FIXED",
      instrumentFrom: COIN[give],
      instrumentTo: COIN[give === "trx" ? "usdt" : "trx"],
      destinationAddress: newAddress(),
      claimedDepositAmount: "100",
      refundAddress,
    }),
    client,
  );
  orders.push(order);
  return order;
};
const info = (order: CoinOrder) => testEngine.engine.orderService.info(order.orderId, order.destinationAddress);
const pay = (order: CoinOrder, amount = HUNDRED) =>
  tron.send({
    to: order.depositAddress,
    amount,
    ...(order.pair.instrumentFrom.slug === "usdt-trc20" && { contract: USDT }),
  });
/** Produces blocks and turns every loop after each; a waiting job waits for the next block here. */
const blocks = async (count: number) => {
  tron.node.chain.mine(count);
  await testEngine.settle();
  await makeDue(database, "payouts");
  await testEngine.settle();
};
const attemptsOf = async (order: CoinOrder) => {
  const rows = await database.kysely
    .selectFrom("payout_attempts")
    .innerJoin("payouts", "payouts.id", "payout_attempts.payout_id")
    .select(["payout_attempts.status", "payout_attempts.tx_id as txId", "payout_attempts.raw"])
    .select(["payout_attempts.replaces", "payout_attempts.excludes_replaced"])
    .where("payouts.order_id", "=", order.orderId)
    .orderBy("payout_attempts.n")
    .execute();
  return rows;
};
/** Every transfer of the canonical chain to an address, read without the driver. */
const received = (address: string): bigint[] => {
  const to = hexOfBase58(address).slice(2);
  return tron.node.chain.blocks.flatMap(({ transactions }) =>
    transactions.flatMap(({ raw, execution }) => {
      if (execution.contractRet !== "SUCCESS") return [];
      const [contract] = raw.contract;
      if (contract.type === "TransferContract")
        return contract.parameter.value.to_address.slice(2) === to ? [BigInt(contract.parameter.value.amount)] : [];
      return execution.logs.filter(({ topics }) => topics[2]?.endsWith(to)).map(({ data }) => BigInt(`0x${data}`));
    }),
  );
};
const lawsBroken = () =>
  violations(
    database,
    {
      delivered: async (orderId) => {
        const order = orders.find((known) => known.orderId === orderId);
        return order === undefined
          ? []
          : [order.destinationAddress, order.refundAddress ?? ""].filter(Boolean).flatMap(received);
      },
      isDeep: async (txId, confirmations) => {
        const found = tron.node.chain.find(txId, tron.node.chain.solid.height);
        return found !== null && tron.node.chain.solid.height - found.block.height + 1 >= confirmations;
      },
    },
    CONFIRMATIONS,
  );
const only =
  (path: string, isWanted: (call: Call) => boolean = () => true) =>
  (call: Call) =>
    call.path === path && isWanted(call);

describe("a swap over TRON", () => {
  it.each(["trx", "usdt"] as const)("from %s completes, paid once and to the unit", async (give) => {
    const order = await create(give);
    await pay(order);
    await blocks(DEEP - 1);
    expect((await info(order)).status).not.toBe("FUNDS_WITHDRAWAL_START");
    await blocks(1);
    expect((await info(order)).status).toBe("FUNDS_WITHDRAWAL_START");
    await blocks(DEEP + 1);
    const ended = await info(order);
    expect(kindsOf(ended).at(-1)).toBe("WITHDRAWAL_COMPLETED");
    const amount = parseAmount(ended.amountToGet, 6);
    expect(received(order.destinationAddress)).toEqual([amount]);
    expect(tron.balance(order.destinationAddress, give === "trx" ? USDT : undefined)).toBe(amount);
    expect((await attemptsOf(order)).map(({ status }) => status)).toEqual(["mined"]);
    const [attempt] = await attemptsOf(order);
    expect(ended.withdrawals[0]?.txId).toBe(attempt?.txId);
    expect(await lawsBroken()).toEqual([]);
  });

  it("is refunded to the customer who requests it", async () => {
    const refundAddress = newAddress();
    const order = await create("usdt", refundAddress);
    await pay(order);
    await blocks(SOLID_LAG + 1);
    const quoted = await testEngine.engine.orderService.refundInfo(order.orderId);
    await testEngine.engine.orderService.requestRefund({
      orderId: order.orderId,
      destinationAddress: order.destinationAddress,
      refundAddress,
      refundAmount: quoted.refundAmountWithoutNetworkFee,
      claimedNetworkFee: quoted.networkFee,
    });
    await blocks(DEEP);
    await blocks(DEEP + 1);
    expect(kindsOf(await info(order)).at(-1)).toBe("REFUND_COMPLETED");
    expect(received(refundAddress)).toEqual([HUNDRED - 20_000_000n]);
    expect(received(order.destinationAddress)).toEqual([]);
    expect(await lawsBroken()).toEqual([]);
  });
});

describe("a payment over TRON", () => {
  it("whose broadcast's response is lost is found, and not repeated", async () => {
    const order = await create("trx");
    await pay(order);
    let lost = 0;
    tron.node.misbehave((call) => (only(BROADCAST)(call) && (lost += 1) === 1 ? "lose answer" : "pass"));
    await blocks(DEEP);
    expect(lost).toBeGreaterThan(0);
    await blocks(DEEP + 1);
    expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
    expect(received(order.destinationAddress)).toHaveLength(1);
    expect(await attemptsOf(order)).toHaveLength(1);
  });

  it("that the node accepted and forgot is signed again once, and only when it has expired for good", async () => {
    const order = await create("trx");
    await pay(order);
    const forgotten = { answer: { result: true } };
    tron.node.misbehave((call) => (only(BROADCAST)(call) ? forgotten : "pass"));
    await blocks(DEEP);
    expect((await attemptsOf(order)).map(({ status }) => status)).toEqual(["broadcast"]);
    // It has expired by the newest final block, but not yet by one as deep as our own tail requires.
    await blocks(LIFETIME_BLOCKS + CONFIRMATIONS - 2);
    expect(await attemptsOf(order)).toHaveLength(1);
    await blocks(1);
    expect((await attemptsOf(order)).map(({ status }) => status)).toEqual(["dead", "broadcast"]);
    tron.node.behave();
    await blocks(1);
    await blocks(DEEP + 1);
    expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
    expect((await attemptsOf(order)).map(({ status }) => status)).toEqual(["dead", "mined"]);
    expect(received(order.destinationAddress)).toHaveLength(1);
    const { wallet } = tron.network();
    const [dead, anew] = await attemptsOf(order);
    // Its bytes follow dead ones, and exclude nothing by themselves.
    expect(anew).toMatchObject({ replaces: 1, excludes_replaced: false });
    if (dead === undefined) throw new Error("there is no dead attempt");
    expect(await wallet.broadcast(dead)).toMatchObject({
      kind: "unknown",
      reason: expect.stringContaining("TRANSACTION_EXPIRATION_ERROR"),
    });
    expect(await lawsBroken()).toEqual([]);
  });

  it("that is in a block while the node's index denies it is never signed again", async () => {
    const order = await create("trx");
    await pay(order);
    tron.node.misbehave(({ path, body }) => {
      const isPayment = path.includes("gettransaction") && typeof body["value"] === "string";
      return isPayment ? { answer: {} } : "pass";
    });
    await blocks(DEEP);
    await blocks(LIFETIME_BLOCKS + DEEP);
    expect(received(order.destinationAddress)).toHaveLength(1);
    expect((await attemptsOf(order)).map(({ status }) => status)).toEqual(["broadcast"]);
    tron.node.behave();
    await blocks(1);
    expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
    expect(received(order.destinationAddress)).toHaveLength(1);
  });

  const payment = (slug: string, amount = 5_000_000n): Payment => ({
    slug,
    toAddress: newAddress(),
    toMemo: null,
    amount,
  });

  it.each(["trx", "usdt-trc20"])("of %s has the same bytes each time, and is accepted once", async (slug) => {
    const { wallet } = tron.network();
    const one = payment(slug);
    const handle = await wallet.chooseHandle(one, []);
    const sent = tron.node.calls.length;
    const prepared = await wallet.prepare(one, handle);
    expect(await wallet.prepare(one, handle)).toEqual(prepared);
    expect(tron.node.calls).toHaveLength(sent);
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "absent" });
    for (let time = 0; time < 2; time += 1) expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "pending" });
    const before = tron.balance(wallet.hotAddress());
    tron.node.chain.mine(SOLID_LAG);
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "pending" });
    tron.node.chain.mine(1);
    const found = await wallet.lookup(prepared.txId);
    expect(found).toMatchObject({ kind: "mined", succeeded: true });
    const spent = before - tron.balance(wallet.hotAddress());
    if (found.kind === "mined") expect(found.feePaid).toBe(slug === "trx" ? spent - one.amount : spent);
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    expect(received(one.toAddress)).toEqual([one.amount]);
    expect(await tron.network().reader.estimateFee(slug)).toBeGreaterThanOrEqual(
      found.kind === "mined" ? found.feePaid : 0n,
    );
  });

  it("differs from another of the same sum to the same address in the same moment", async () => {
    const { wallet } = tron.network();
    const one = payment("trx");
    const first = await wallet.chooseHandle(one, []);
    const second = await wallet.chooseHandle(one, [first]);
    expect(second.keys).not.toEqual(first.keys);
    const ids = await Promise.all([first, second].map(async (handle) => (await wallet.prepare(one, handle)).txId));
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    ["SERVER_BUSY", "unknown"],
    ["TAPOS_ERROR", "unknown"],
    ["OTHER_ERROR", "unknown"],
    ["CONTRACT_VALIDATE_ERROR", "refused"],
  ])("that is answered with %s is %s", async (code, kind) => {
    const { wallet } = tron.network();
    const one = payment("trx");
    const prepared = await wallet.prepare(one, await wallet.chooseHandle(one, []));
    tron.node.misbehave((call) => (only(BROADCAST)(call) ? { answer: { code, message: "6e6f" } } : "pass"));
    expect(await wallet.broadcast(prepared)).toEqual({ kind, reason: `${code} no` });
  });

  it("is refused before it leaves where it would fail: a frozen receiver, or too few coins for the network", async () => {
    const { wallet } = tron.network();
    const frozen = payment("usdt-trc20");
    tron.node.chain.head.state.frozen.add(hexOfBase58(frozen.toAddress).slice(2));
    await expect(wallet.chooseHandle(frozen, [])).rejects.toThrow("REVERT");
    const held = await wallet.hotBalance("trx");
    await expect(wallet.chooseHandle(payment("trx", held), [])).rejects.toThrow("holds");
    const most = payment("trx", held - 2_000_000n);
    const handle = await wallet.chooseHandle(most, []);
    await expect(wallet.chooseHandle(most, [handle])).rejects.toThrow("holds");
  });

  it("is proven dead by no node that leaves blocks out, or returns one that does not follow", async () => {
    const { wallet } = tron.network();
    const prepared: PreparedPayment = await wallet.prepare(
      payment("trx"),
      await wallet.chooseHandle(payment("trx"), []),
    );
    tron.node.chain.mine(LIFETIME_BLOCKS);
    const { solid } = tron.node.chain;
    expect(await wallet.deadAt?.(prepared, solid.height - 1)).toBeNull();
    expect(await wallet.deadAt?.(prepared, solid.height)).toBe(solid.hash);
    const middle = solid.height - 5;
    tron.node.misbehave(({ path, body }) =>
      path === "walletsolidity/getblockbynum" && body["num"] === middle ? { answer: {} } : "pass",
    );
    await expect(wallet.deadAt?.(prepared, solid.height)).rejects.toThrow("no block that follows");
  });
});

describe("a deposit over TRON", () => {
  const states = async (order: CoinOrder) => {
    const { status, deposits } = await info(order);
    return { status, deposits: deposits.length };
  };
  const NOTHING = { status: "CREATION_END", deposits: 0 };

  it("in a block that is not final is never credited, and may vanish", async () => {
    const order = await create("usdt");
    await pay(order);
    await blocks(SOLID_LAG);
    expect(await states(order)).toEqual(NOTHING);
    tron.node.chain.fork(SOLID_LAG);
    await blocks(2 * DEEP);
    expect(await states(order)).toEqual(NOTHING);
    expect(received(order.depositAddress)).toEqual([]);
  });

  it("that reverted is never credited, though it stands in a block", async () => {
    const order = await create("usdt");
    const txId = await pay(order, tron.balance(tron.customer, USDT) + 1n);
    await blocks(2 * DEEP);
    expect(tron.node.chain.find(txId)?.block.transactions[0]?.execution.contractRet).toBe("REVERT");
    expect(await states(order)).toEqual(NOTHING);
  });

  it("that reverted is not credited for the log that a node still shows", async () => {
    const order = await create("usdt");
    const txId = await pay(order);
    tron.node.misbehave(({ path }) =>
      path === "walletsolidity/gettransactioninfobyblocknum" ? { change: (answer) => failed(answer, txId) } : "pass",
    );
    await blocks(2 * DEEP);
    expect(await states(order)).toEqual(NOTHING);
  });

  it("of another contract's token is never credited", async () => {
    const order = await create("usdt");
    await tron.send({ to: order.depositAddress, amount: HUNDRED, contract: FAKE_USDT });
    await blocks(2 * DEEP);
    expect(received(order.depositAddress)).toEqual([HUNDRED]);
    expect(await states(order)).toEqual(NOTHING);
  });

  it("is not lost when the node returns its block before its receipts", async () => {
    const order = await create("usdt");
    await pay(order);
    tron.node.misbehave(({ path }) =>
      path === "walletsolidity/gettransactioninfobyblocknum" ? { answer: [] } : "pass",
    );
    await expect(blocks(DEEP)).rejects.toThrow("without the receipt");
    expect(await states(order)).toEqual(NOTHING);
    tron.node.behave();
    await blocks(1);
    expect((await info(order)).deposits).toMatchObject([{ amount: "100" }]);
  });
});

describe("a node", () => {
  it("of another chain is refused, by reads and by broadcasts", async () => {
    const { createTronNetwork } = await import("../../server/chains/tron/network.ts");
    const { tronDepositXpub } = await import("../../server/chains/tron/keys.ts");
    const { MNEMONIC } = await import("./support/tron.ts");
    const wrong = createTronNetwork({ ...tron.options, chainId: 0x2b66_53dc, xpub: tronDepositXpub(MNEMONIC) });
    await expect(wrong.head()).rejects.toThrow("not 728126428");
    await expect(wrong.blockAt(1)).rejects.toThrow("not 728126428");
  });

  it("that has no history says so in plain text, and is not taken as empty", async () => {
    const { reader } = tron.network();
    tron.node.misbehave(() => ({ answer: "this API is closed because this node is a lite fullnode" }));
    await expect(reader.blockAt(5)).rejects.toThrow("lite fullnode");
  });
});

it("broke no law of money", async () => {
  expect(await lawsBroken()).toEqual([]);
});

type Receipt = { id: string; receipt: object };
const failed = (answer: unknown, txId: string): unknown =>
  Array.isArray(answer)
    ? (answer as Receipt[]).map((one) =>
        one.id === txId ? { ...one, result: "FAILED", receipt: { ...one.receipt, result: "REVERT" } } : one,
      )
    : answer;
