import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { parseAmount } from "#contract/money.ts";
import type { CoinOrder } from "#contract/order.ts";
import { openDatabase } from "../../server/db/database.ts";
import { createLog } from "../../server/base/logging/log.ts";
import { bitcoinDevnet, type BitcoinDevnet } from "../../server/devnet/bitcoin/controls.ts";
import { Api, Refusal } from "../support/http/api.ts";
import { violations } from "../support/checkers/checkers.ts";
import { DevnetRpc } from "../support/chains/devnet-rpc.ts";
import { eventually } from "../support/eventually.ts";
import {
  askForRefund,
  bodyOf,
  HALF_ETH,
  orderAfter,
  randomAddress,
  readOrder,
} from "../support/scenarios/http-swap.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import { startRpcProxy, type RpcProxy } from "./support/rpc-proxy.ts";
import { anything, heldAt, startLitecoinSetup, text, type LitecoinSetup } from "./support/litecoin.ts";

const LTC_CONFIRMATIONS = 6;
const ETH_CONFIRMATIONS = 3;
/** The first blocks of the chain, and the next read of the wallet. */
const BEGUN_WITHIN_MS = 60_000;
/** On a busy machine the programs take minutes to be loaded. */
const START_LIMIT_MS = 400_000;
const OUT_OF_THE_NEXT_BLOCK = -100_000_000;

let setup: LitecoinSetup;
let litecoin: BitcoinDevnet;
/** Between the server and the node. */
let line: RpcProxy;
let server: ServerProcess;
let api: Api;
let ethereum: DevnetRpc;
const finished: CoinOrder[] = [];

beforeAll(async () => {
  setup = await startLitecoinSetup();
  litecoin = bitcoinDevnet({ networkTitle: "LTC", rpcUrl: setup.node.rpcUrl });
  // The test mines the blocks: without this pause the server would report the network as down in between.
  await litecoin.setPaused(true);
  line = await startRpcProxy(withoutUser(setup.node.rpcUrl));
  line.misbehave(() => ({ kind: "cut" }));
  server = await ServerProcess.start({
    ...setup.node.env,
    LTC_RPC_URL: withUser(line.rpcUrl, new URL(setup.node.rpcUrl)),
  });
  api = new Api(server.url);
  ethereum = new DevnetRpc(server.rpcUrl);
}, START_LIMIT_MS);
afterAll(async () => {
  await server?.end();
  await line?.stop();
  await setup?.end();
});

type RateMode = "FIXED" | "FLOATING";
type Asked = { from: string; to: string; amount: string; rateMode?: RateMode; refundAddress?: string };

async function create(asked: Asked, destinationAddress: string): Promise<CoinOrder> {
  const { from, to, amount, rateMode = "FLOATING", refundAddress } = asked;
  const rate = await rateOnce(from, to, amount, rateMode);
  const body = { ...bodyOf(rate), destinationAddress, ...(refundAddress && { refundAddress }) };
  return api.call("createOrder", { body, headers: { "idempotency-key": randomUUID() } });
}

const rateOf = (from: string, to: string, claimedDepositAmount: string, rateMode: RateMode = "FLOATING") =>
  api.call("rate", { query: { instrumentFromSlug: from, instrumentToSlug: to, claimedDepositAmount, rateMode } });
/** Waits for the rate: the wallet's available balance is known a little later than the server is ready. */
const rateOnce = (...asked: Parameters<typeof rateOf>) =>
  eventually(
    `a rate of ${asked[0]} to ${asked[1]}`,
    async () => {
      try {
        return await rateOf(...asked);
      } catch (error) {
        if (error instanceof Refusal) return null;
        throw error;
      }
    },
    BEGUN_WITHIN_MS,
  );
const withoutUser = (url: string) => Object.assign(new URL(url), { username: "", password: "" }).href;
const withUser = (url: string, { username, password }: URL) => Object.assign(new URL(url), { username, password }).href;
const payFromSandbox = ({ orderId }: CoinOrder) => api.call("sandboxPay", { body: { orderId } });
const mineOne = () => litecoin.mine(1);
/** Blocks until a payment that was sent is final, and no others: a reorganisation can only reach so deep. */
const mineWhatWaits = async () => {
  if ((await setup.ask("getrawmempool", [], z.array(text))).length > 0) await litecoin.mine(LTC_CONFIRMATIONS);
};
const depthSchema = z.object({ confirmations: z.int() });
const depthOf = async (ask: LitecoinSetup["customer"], txId: string) =>
  (await ask("gettransaction", [txId], depthSchema)).confirmations;
const eightDecimals = (amount: string) => {
  const [whole, fraction = ""] = amount.split(".");
  return `${whole}.${fraction.padEnd(8, "0")}`;
};
const usdtOf = (order: CoinOrder) =>
  ethereum.tokenTransfers(order.pair.instrumentTo.contractAddress ?? "", order.destinationAddress);

/** The order's one payment reached its customer, as promised and in one transaction. */
async function expectPaidOnce(order: CoinOrder): Promise<void> {
  const [withdrawal] = order.withdrawals;
  expect(order.withdrawals).toHaveLength(1);
  if (withdrawal?.kind === "refund") {
    expect(await heldAt(setup, order.refundAddress ?? "")).toEqual([eightDecimals(withdrawal.amount)]);
  } else if (order.pair.instrumentTo.slug === "ltc") {
    expect(await heldAt(setup, order.destinationAddress)).toEqual([eightDecimals(order.amountToGet)]);
  } else {
    const amount = parseAmount(order.amountToGet, 6);
    expect(await usdtOf(order)).toEqual([{ amount, txId: withdrawal?.txId }]);
  }
  finished.push(order);
}

describe("a node of Litecoin that is dead when the server starts", () => {
  it("disables its pairs alone, and enables them once it answers", async () => {
    expect((await rateOf("eth", "usdt-erc20", "0.5")).amountToGive).toBe("0.5");
    await expect(rateOf("eth", "ltc", "0.5")).rejects.toThrow(Refusal);
    await expect(rateOf("ltc", "usdt-erc20", "20")).rejects.toThrow(Refusal);
    line.behave();
    for (const [from, to, amount] of [
      ["eth", "ltc", "0.5"],
      ["ltc", "usdt-erc20", "20"],
    ] as const)
      expect((await rateOnce(from, to, amount)).amountToGive).toBe(amount);
  });
});

describe("a swap from Litecoin, and kill -9 between its deposit and its payout", () => {
  it("pays once", async () => {
    const order = await create({ from: "ltc", to: "usdt-erc20", amount: "20" }, randomAddress());
    expect(order.depositUri).toBe(`litecoin:${order.depositAddress}?amount=20`);
    expect(order.minConfirmationsToWithdraw).toBe(LTC_CONFIRMATIONS);
    await payFromSandbox(order);
    await mineOne();
    await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
    await server.kill9();
    await litecoin.mine(LTC_CONFIRMATIONS - 1);
    await server.restart();
    await expectPaidOnce(await orderAfter(api, order, "WITHDRAWAL_COMPLETED"));
  });
});

describe("a refund of Litecoin, and kill -9 when it was asked for", () => {
  it("goes back once, to the address that was set", async () => {
    const refundAddress = await setup.receiver("getnewaddress", [], text);
    const asked = { from: "ltc", to: "usdt-erc20", amount: "5", rateMode: "FIXED", refundAddress } as const;
    const order = await create(asked, randomAddress());
    await payFromSandbox(order);
    await mineOne();
    await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
    await askForRefund(api, order, refundAddress);
    await server.kill9();
    await litecoin.mine(LTC_CONFIRMATIONS);
    await server.restart();
    const done = await orderAfter(api, order, "REFUND_COMPLETED", mineWhatWaits);
    await expectPaidOnce(done);
    expect(await usdtOf(done)).toEqual([]);
  });
});

describe("a reorganisation of Litecoin below the confirmations", () => {
  it("takes a deposit away until a block has it again, and it counts once", async () => {
    const order = await create({ from: "ltc", to: "usdt-erc20", amount: "10" }, randomAddress());
    const { txId } = await payFromSandbox(order);
    await litecoin.mine(2);
    const depositsOf = async () => (await readOrder(api, order)).deposits;
    await eventually("the deposit has a second block", async () =>
      (await depositsOf()).some(({ confirmations }) => confirmations === 2) ? true : null,
    );

    await setup.ask("prioritisetransaction", [txId, 0, OUT_OF_THE_NEXT_BLOCK], anything);
    const first = await setup.ask("getblockhash", [(await litecoin.height()) - 1], text);
    await setup.ask("invalidateblock", [first], anything);
    await litecoin.mine(LTC_CONFIRMATIONS + 2);
    // Gone for about a second: then the mempool that has it again shows it.
    await eventually("no block has the deposit", async () =>
      (await depositsOf()).every(({ confirmations }) => confirmations === 0) ? true : null,
    );
    expect((await readOrder(api, order)).withdrawals).toEqual([]);

    await setup.ask("prioritisetransaction", [txId, 0, -OUT_OF_THE_NEXT_BLOCK], anything);
    await litecoin.mine(LTC_CONFIRMATIONS);
    const done = await orderAfter(api, order, "WITHDRAWAL_COMPLETED");
    await expectPaidOnce(done);
    expect(done.deposits.map((deposit) => deposit.txId)).toEqual([txId]);
  });
});

describe("a swap to Litecoin, and kill -9 while its payout leaves", () => {
  it("pays once", async () => {
    const order = await create(
      { from: "eth", to: "ltc", amount: "0.5" },
      await setup.receiver("getnewaddress", [], text),
    );
    await ethereum.pay(order.depositAddress, HALF_ETH);
    await orderAfter(api, order, "FUNDS_WITHDRAWAL_START");
    await server.kill9();
    await server.restart();
    await expectPaidOnce(await orderAfter(api, order, "WITHDRAWAL_COMPLETED", mineWhatWaits));
  });
});

describe("a reorganisation of Litecoin beyond the confirmations", () => {
  it("changes nothing that was paid, and what it removed from the chain comes back", async () => {
    const paidTo = finished.find(({ pair }) => pair.instrumentTo.slug === "ltc");
    const credited = finished.findLast(({ pair }) => pair.instrumentFrom.slug === "ltc");
    if (paidTo === undefined || credited === undefined) throw new Error("nothing was paid in Litecoin");
    const txIds = { payout: paidTo.withdrawals[0]?.txId ?? "", deposit: credited.deposits[0]?.txId ?? "" };
    const depths = async () => [
      await depthOf(setup.receiver, txIds.payout),
      await depthOf(setup.customer, txIds.deposit),
    ];
    const reorg = 1 + Math.max(...(await depths()));
    expect(Math.min(...(await depths()))).toBeGreaterThanOrEqual(LTC_CONFIRMATIONS);
    const answer = await api.call("sandboxNetwork", { params: { networkTitle: "LTC" }, body: { reorg } });
    expect(answer.did).toBe(`replaced ${reorg}`);
    const order = await create({ from: "ltc", to: "usdt-erc20", amount: "3" }, randomAddress());
    await payFromSandbox(order);
    await litecoin.mine(LTC_CONFIRMATIONS);
    await expectPaidOnce(await orderAfter(api, order, "WITHDRAWAL_COMPLETED"));
    expect(await heldAt(setup, paidTo.destinationAddress)).toEqual([eightDecimals(paidTo.amountToGet)]);
  });
});

describe("after all of it", () => {
  it("no law of money is broken, and a violation would be noticed", async () => {
    const log = createLog({ level: "silent" });
    const database = openDatabase(await server.databaseUrl(), { max: 1, log, applicationName: "checkers" });
    try {
      expect(await violations(database, { delivered, isDeep }, ETH_CONFIRMATIONS)).toEqual([]);
      const forgotten = finished.pop();
      const found = await violations(database, { delivered, isDeep }, ETH_CONFIRMATIONS);
      expect(found.join()).toContain(forgotten?.orderId);
    } finally {
      await database.close();
    }
  });
});

async function delivered(orderId: string): Promise<bigint[]> {
  const order = finished.find((one) => one.orderId === orderId);
  if (order === undefined) return [];
  const usdt = order.pair.instrumentTo.slug === "ltc" ? [] : (await usdtOf(order)).map(({ amount }) => amount);
  const addresses = [order.destinationAddress, order.refundAddress].filter((address) => address?.startsWith("rltc1"));
  const coins = [];
  for (const address of addresses) coins.push(...(await heldAt(setup, address ?? "")));
  return [...usdt, ...coins.map((amount) => parseAmount(amount, 8) ?? 0n)];
}

async function isDeep(txId: string, _confirmations: number, network: string): Promise<boolean> {
  if (network === "ETH") return (await ethereum.confirmations(txId)) >= ETH_CONFIRMATIONS;
  return (await depthOf(setup.customer, txId)) >= LTC_CONFIRMATIONS;
}
