import { randomBytes } from "node:crypto";
import { encodeAbiParameters, encodeFunctionData, getAddress, numberToHex, parseAbi, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { CreateOrderBody, CoinOrder } from "#contract/order.ts";
import { createEvmNetwork, createEvmWallet } from "../../server/chains/evm/network.ts";
import type { NetworkReader } from "../../server/chains/port.ts";
import { archiveOrders } from "../../server/db/archived-orders.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { runRescanCommand } from "../../server/chains/follower/operator.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { EVM_CAPS } from "../support/chains/evm-caps.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";
import { compileContracts, deploy } from "./support/contracts.ts";
import { hex, startEvmSetup, type EvmSetup } from "./support/evm.ts";
import { startRpcProxy, type RpcProxy } from "./support/rpc-proxy.ts";

const HALF_ETH = 5n * 10n ** 17n;
const CUSTOMER = 2;
const client = { key: "c", traceId: "t" };
const forwarderAbi = parseAbi([
  "function pay(address[] to, uint256 each) payable",
  "function payAndFail(address to) payable",
]);
const codeOf = compileContracts();

let setup: EvmSetup;
let proxy: RpcProxy;
let forwarder: Hex;
let customer: Hex;
let database: TestDatabase;
let reader: NetworkReader;
let testEngine: TestEngine;
let indexBase = 0n;

beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
  proxy = await startRpcProxy(setup.devnet.rpcUrl);
  customer = setup.accounts[CUSTOMER] as Hex;
  forwarder = await deploy(setup, customer, codeOf("Forwarder"));
});
afterAll(async () => {
  await proxy.stop();
  await setup.end();
});
beforeEach(async () => {
  proxy.behave();
  database = await freshDatabase();
  const wallet = createEvmWallet({ ...setup.options(proxy.rpcUrl), mnemonic: setup.keys.mnemonic, caps: EVM_CAPS });
  reader = createEvmNetwork({ ...setup.options(proxy.rpcUrl), xpub: setup.keys.xpub });
  testEngine = await createTestEngine({ database, reader, wallet });
  // The chain outlives the databases of the tests: no two of them use the same addresses.
  indexBase = BigInt(Date.now() % 2 ** 30);
  await database.pool.query("update first_deposit_index set value = $1", [indexBase]);
  await testEngine.settle();
});
afterEach(() => database.drop());

const newAddress = () => getAddress(`0x${randomBytes(20).toString("hex")}`);
const create = async (body: Partial<CreateOrderBody> = {}): Promise<CoinOrder & { destination: string }> => {
  const destination = newAddress();
  const asked = orderBody({ destinationAddress: destination, ...body });
  const order = await testEngine.engine.orderService.create(asked, client);
  return { ...order, destination };
};
const send = (request: { to?: Hex; data: Hex; value?: bigint }) =>
  setup.ask(
    "eth_sendTransaction",
    [{ from: customer, gas: numberToHex(500_000), ...request, value: numberToHex(request.value ?? 0n) }],
    hex,
  );
/** Pays from a contract, as a smart wallet or an exchange's batch does. */
const payByContract = (to: readonly string[], each: bigint) => {
  const data = encodeFunctionData({ abi: forwarderAbi, functionName: "pay", args: [to as Hex[], each] });
  return send({ to: forwarder, data, value: each * BigInt(to.length) });
};
const payDirectly = (to: string, amount: bigint) => setup.devnet.pay({ to, slug: "eth", amount });
const blocks = async (count: number) => {
  for (let mined = 0; mined < count; mined += 1) {
    await setup.devnet.mine(1);
    await testEngine.settle();
  }
};
const deposits = async () =>
  (
    await database.kysely
      .selectFrom("deposits")
      .select(["tx_id", "amount", "address", "block_height", "credited_at", "review_reason"])
      .orderBy("id")
      .execute()
  ).map(({ credited_at, block_height, ...row }) => ({
    ...row,
    isMined: block_height !== null,
    isCredited: credited_at !== null,
  }));
const payouts = () => database.kysely.selectFrom("payouts").select(["purpose", "amount", "state"]).execute();

describe("ether that no transaction carries itself", () => {
  it("by a contract's call is seen, credited once and paid out for", async () => {
    const order = await create();
    await payByContract([order.depositAddress], HALF_ETH);
    await blocks(1);
    expect(await deposits()).toMatchObject([{ amount: HALF_ETH, address: order.depositAddress, isCredited: false }]);
    await blocks(6);
    expect(await deposits()).toMatchObject([{ amount: HALF_ETH, isMined: true, isCredited: true }]);
    expect(await payouts()).toMatchObject([{ purpose: "payout" }]);
    const { deposits: shown } = await testEngine.engine.orderService.info(order.orderId, order.destination);
    expect(shown).toMatchObject([{ amount: "0.5" }]);
  });

  it("by a batch is seen at each of its recipients", async () => {
    const orders = [await create(), await create(), await create()];
    await payByContract(
      orders.map(({ depositAddress }) => depositAddress),
      HALF_ETH,
    );
    await blocks(1);
    const seen = new Map((await deposits()).map(({ address, amount }) => [address, amount]));
    expect(seen).toEqual(new Map(orders.map(({ depositAddress }) => [depositAddress, HALF_ETH])));
  });

  it("by a contract that destroys itself is seen", async () => {
    const { depositAddress } = await create();
    const heir = encodeAbiParameters([{ type: "address" }], [depositAddress as Hex]);
    await send({ data: `${codeOf("Bequest")}${heir.slice(2)}`, value: HALF_ETH });
    await blocks(1);
    expect(await deposits()).toMatchObject([{ amount: HALF_ETH, address: depositAddress }]);
  });

  it("by a call that is reverted is not seen", async () => {
    const { depositAddress } = await create();
    const data = encodeFunctionData({ abi: forwarderAbi, functionName: "payAndFail", args: [depositAddress as Hex] });
    await send({ to: forwarder, data, value: HALF_ETH });
    await blocks(2);
    expect(await deposits()).toEqual([]);
  });

  it("is counted beside a direct transfer, each once, in one block and in several", async () => {
    const { depositAddress } = await create();
    await payDirectly(depositAddress, 7n * 10n ** 15n);
    await payByContract([depositAddress], 11n * 10n ** 15n);
    await blocks(1);
    await payByContract([depositAddress], 13n * 10n ** 15n);
    await blocks(1);
    await payDirectly(depositAddress, 17n * 10n ** 15n);
    await blocks(2);
    const amounts = (await deposits()).map(({ amount }) => amount / 10n ** 15n);
    expect([amounts.length, new Set(amounts)]).toEqual([4, new Set([7n, 11n, 13n, 17n])]);
  });

  it("keeps its row through a reorganisation, with the amount that arrives then", async () => {
    const { depositAddress } = await create();
    await payByContract([depositAddress], HALF_ETH);
    await blocks(1);
    const [before] = await deposits();
    await setup.devnet.reorg(1);
    await testEngine.settle();
    expect(await deposits()).toMatchObject([{ tx_id: before?.tx_id, isMined: false }]);
    await payByContract([depositAddress], 2n * HALF_ETH);
    await blocks(1);
    expect(await deposits()).toMatchObject([{ tx_id: before?.tx_id, amount: 2n * HALF_ETH, isMined: true }]);
  });

  it("that came while no follower ran is found when it reads on", async () => {
    const { depositAddress } = await create();
    await payByContract([depositAddress], HALF_ETH);
    await setup.devnet.mine(5);
    await testEngine.settle();
    expect(await deposits()).toMatchObject([{ amount: HALF_ETH, isMined: true }]);
  });

  it("that an address had before its order was made belongs to nobody's deposit", async () => {
    const next = reader.depositAddress(indexBase);
    const { address } = await next;
    await setup.ask("anvil_setBalance", [address, numberToHex(HALF_ETH)], z.null());
    await setup.devnet.mine(1);
    const { depositAddress } = await create();
    expect(depositAddress).toBe(address);
    await blocks(2);
    expect(await deposits()).toEqual([]);
    await payByContract([depositAddress], 3n);
    await blocks(1);
    expect(await deposits()).toMatchObject([{ amount: 3n }]);
  });

  it("is found a block later where the node failed to return the balances of the addresses", async () => {
    const { depositAddress } = await create();
    await payByContract([depositAddress], HALF_ETH);
    proxy.misbehave(({ method }) =>
      method === "eth_call"
        ? { kind: "answer", body: { error: { code: -32000, message: "missing trie node" } } }
        : { kind: "pass" },
    );
    await blocks(1);
    expect(await deposits()).toEqual([]);
    proxy.behave();
    await blocks(1);
    expect(await deposits()).toMatchObject([{ amount: HALF_ETH, isMined: true }]);
  });
});

describe("ether that a contract sends to an address that no order waits for", () => {
  const sweepAll = async () => {
    await testEngine.engine.planSweeps();
    for (let turn = 0; turn < 10; turn += 1) {
      await database.kysely
        .updateTable("sweeps")
        .set({ next_attempt_at: new Date(0) })
        .where("state", "<>", "done")
        .execute();
      await testEngine.engine.runSweeps("ETH");
      await blocks(1);
    }
  };
  const lookIsDue = () =>
    database.kysely
      .updateTable("deposit_addresses")
      .set({ next_look_at: new Date(0) })
      .execute();
  const refund = newAddress();
  const refunds = async () =>
    (await payouts()).flatMap(({ purpose, amount }) => (purpose === "refund" ? [amount] : []));
  const swapped = async (body: Partial<CreateOrderBody> = {}) => {
    const order = await create({ refundAddress: refund, ...body });
    const isEther = body.instrumentFrom === undefined;
    if (isEther) await payDirectly(order.depositAddress, HALF_ETH);
    else await setup.devnet.pay({ to: order.depositAddress, slug: "usdt-erc20", amount: 1_000_000_000n });
    await blocks(8);
    await sweepAll();
    expect(await database.kysely.selectFrom("sweeps").select("state").execute()).toEqual([{ state: "done" }]);
    return order;
  };
  const IN_USDT = {
    instrumentFrom: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
    instrumentTo: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
    claimedDepositAmount: "1000",
    claimedPublicRate: { price: "1", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1" },
  };

  it.each([
    ["ether", {}, { review_reason: null, isCredited: true }],
    ["a token, with gas of ours left", IN_USDT, { review_reason: "wrong_asset", isCredited: false }],
  ])(
    "whose deposit of %s was swept is found, and nothing else that is there is taken for it",
    async (_, body, found) => {
      const order = await swapped(body);
      for (const turn of [1, 2]) {
        await lookIsDue();
        await blocks(1);
        expect([turn, (await deposits()).length]).toEqual([turn, 1]);
      }
      await payByContract([order.depositAddress], HALF_ETH);
      await lookIsDue();
      await blocks(6);
      expect(await deposits()).toMatchObject([{}, { amount: HALF_ETH, address: order.depositAddress, ...found }]);
      await lookIsDue();
      await blocks(2);
      expect(await deposits()).toHaveLength(2);
      expect(await refunds()).toHaveLength(found.isCredited ? 1 : 0);
    },
  );

  it("whose order has expired unpaid is its deposit", async () => {
    const order = await create({ refundAddress: refund });
    await blocks(1);
    await database.kysely
      .updateTable("orders")
      .set({ unpaid_until: new Date(0) })
      .execute();
    await testEngine.engine.expireOrders();
    await payByContract([order.depositAddress], HALF_ETH);
    await lookIsDue();
    await blocks(6);
    expect(await deposits()).toMatchObject([{ amount: HALF_ETH, isCredited: true }]);
    expect(await payouts()).toMatchObject([{ purpose: "payout" }]);
  });

  it("whose order is in the archive is found, and what a sweep has left there is not", async () => {
    const order = await swapped(IN_USDT);
    const archive = () => inTransaction(database, (transaction) => archiveOrders(transaction, [order.orderId]));
    await lookIsDue();
    await blocks(1);
    await archive();
    await lookIsDue();
    await blocks(1);
    expect(await deposits()).toEqual([]);
    await payByContract([order.depositAddress], HALF_ETH);
    await lookIsDue();
    await blocks(6);
    const found = [{ amount: HALF_ETH, review_reason: "wrong_asset" }];
    expect(await deposits()).toMatchObject(found);
    await lookIsDue();
    await blocks(2);
    expect(await deposits()).toMatchObject(found);
  });

  it("is searched again soon after a reorganisation, and keeps its row", async () => {
    const order = await swapped();
    await payByContract([order.depositAddress], HALF_ETH);
    await lookIsDue();
    await blocks(1);
    const [, before] = await deposits();
    await setup.devnet.reorg(1);
    await testEngine.settle();
    const { rows: pauses } = await database.pool.query("select max(look_seconds) as pause from deposit_addresses");
    expect(pauses).toEqual([{ pause: 2 }]);
    await payByContract([order.depositAddress], 2n * HALF_ETH);
    await lookIsDue();
    await blocks(1);
    expect(await deposits()).toMatchObject([{}, { tx_id: before?.tx_id, amount: 2n * HALF_ETH, isMined: true }]);
  });

  it("is searched in slices of bounded cost, less and less often, and all at once on an operator's command", async () => {
    const { rows } = await database.pool.query<{ order_id: string }>(
      `insert into deposit_addresses (network, address, derivation_index, order_id, initial_balance)
       select 'ETH', '0x' || lpad(to_hex(n), 40, '0'), n, 'archived-' || n, 0 from generate_series(100000, 100999) n returning order_id`,
    );
    expect(rows).toHaveLength(1_000);
    const looked = async () =>
      Number(
        (await database.pool.query("select count(*) from deposit_addresses where next_look_at > now()")).rows[0].count,
      );
    proxy.calls.length = 0;
    await blocks(1);
    expect(await looked()).toBe(300);
    expect(proxy.calls.filter((method) => method === "eth_call")).toHaveLength(1);
    await blocks(3);
    expect(await looked()).toBe(1_000);
    await runRescanCommand(database, ["rescan", "ETH", "routine", "--as", "ann"]);
    expect(await looked()).toBe(0);
    await blocks(4);
    const { rows: pauses } = await database.pool.query("select distinct look_seconds as pause from deposit_addresses");
    expect(pauses).toEqual([{ pause: 2_400 }]);
    await expect(runRescanCommand(database, ["rescan", "ETHER", "why", "--as", "ann"])).rejects.toThrow("ETHER");
  });
});

it("a node without the first balance of an address still shows what comes later", async () => {
  const { depositAddress } = await create();
  const forgotten = (await reader.head()).hash;
  proxy.misbehave(({ method, params }) =>
    method === "eth_call" && JSON.stringify(params).includes(forgotten)
      ? { kind: "answer", body: { error: { code: -32000, message: "missing trie node" } } }
      : { kind: "pass" },
  );
  await blocks(2);
  await payByContract([depositAddress], HALF_ETH);
  await blocks(1);
  expect(await deposits()).toMatchObject([{ amount: HALF_ETH, isMined: true }]);
});

it("sweeps and the gas that they get are no deposits", async () => {
  const { depositAddress } = await create();
  await payByContract([depositAddress], HALF_ETH);
  await blocks(6);
  await testEngine.engine.planSweeps();
  for (let turn = 0; turn < 8; turn += 1) {
    await database.kysely
      .updateTable("sweeps")
      .set({ next_attempt_at: new Date(0) })
      .where("state", "<>", "done")
      .execute();
    await testEngine.engine.runSweeps("ETH");
    await blocks(1);
  }
  expect(await payouts()).toContainEqual(expect.objectContaining({ purpose: "sweep" }));
  expect(await deposits()).toHaveLength(1);
});

it("the balances of two thousand addresses are read in a few calls", async () => {
  const addresses = Array.from({ length: 2_000 }, newAddress);
  await setup.ask("anvil_setBalance", [addresses[1_999] ?? "", "0x7"], z.null());
  const height = await setup.devnet.mine(1);
  const block = await reader.blockAt(height);
  proxy.calls.length = 0;
  const asked = addresses.map((address) => ({ address, slug: "eth" }));
  const balances = await reader.balancesAt?.(block?.hash ?? "", asked);
  expect(balances?.slice(-2)).toEqual([0n, 7n]);
  expect(proxy.calls.length).toBeLessThanOrEqual(10);
});
