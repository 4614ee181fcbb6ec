import { getAddress, numberToHex, parseTransaction } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { heightSchema } from "../../server/chains/evm/schemas.ts";
import { createEvmNetwork, createEvmWallet } from "../../server/chains/evm/network.ts";
import {
  NotEnoughFundsError,
  type Handle,
  type Payment,
  type PreparedPayment,
  type SweepingWallet,
} from "../../server/chains/port.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { EVM_CAPS } from "../support/chains/evm-caps.ts";
import { evmOver } from "../support/scenarios/swap-scenario.ts";
import { sweepViolations } from "../support/checkers/sweep-checkers.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";
import { startEvmSetup, type EvmSetup } from "./support/evm.ts";

const GWEI = 10n ** 9n;
const HALF_ETH = 5n * 10n ** 17n;
const FULL = 1_491_500_000n;

let setup: EvmSetup;
let database: TestDatabase;
let wallet: SweepingWallet;
let made = 0xabc;

beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
  wallet = createEvmWallet({ ...setup.options(), mnemonic: setup.keys.mnemonic, caps: EVM_CAPS });
});
afterAll(() => setup.end());
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const newAddress = () => getAddress(`0x${(made += 1).toString(16).padStart(4, "0").repeat(10)}`);
/** A block with this base fee, and the next one as well: what nodes ask for is the fee of the newest block. */
const mineAt = async (baseFee: bigint): Promise<void> => {
  await setup.ask("anvil_setNextBlockBaseFeePerGas", [numberToHex(baseFee)], z.unknown());
  await setup.devnet.mine(1);
};
const minedNonce = () => setup.ask("eth_getTransactionCount", [wallet.hotAddress(), "latest"], heightSchema);
const attempts = () =>
  database.kysely.selectFrom("payout_attempts").select(["n", "status", "tx_id as txId", "raw"]).orderBy("n").execute();
const payout = () => database.kysely.selectFrom("payouts").select(["state", "stuck_reason"]).executeTakeFirstOrThrow();

async function swap() {
  const { reader, wallet: hot } = evmOver({ devnet: setup.devnet, ...setup.keys });
  const contractAddresses = new Map(Object.entries(setup.devnet.contracts));
  const testEngine = await createTestEngine({ database, reader, wallet: hot, contractAddresses });
  await testEngine.settle();
  const destinationAddress = newAddress();
  const client = { key: "test", traceId: "test" };
  const order = await testEngine.engine.orderService.create(orderBody({ destinationAddress }), client);
  await setup.devnet.pay({ to: order.depositAddress, slug: "eth", amount: HALF_ETH });
  return { testEngine, order, destinationAddress };
}

async function blocks(testEngine: TestEngine, count: number, baseFee = GWEI): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    await mineAt(baseFee);
    await database.kysely
      .updateTable("payouts")
      .set({ next_attempt_at: new Date(0), resend_at: null })
      .where("next_attempt_at", "is not", null)
      .execute();
    await testEngine.settle();
  }
}

const waitInVain = () =>
  database.kysely
    .updateTable("payouts")
    .set({ replace_at: new Date(0) })
    .where("replace_at", "is not", null)
    .execute();

it("a payment that a risen base fee leaves out is replaced on its nonce, and arrives once", async () => {
  const { testEngine, order, destinationAddress } = await swap();
  await blocks(testEngine, 3);
  expect(await attempts()).toHaveLength(1);
  const nonce = await minedNonce();
  await blocks(testEngine, 3, 15n * GWEI);
  expect(await payout()).toEqual({ state: "broadcast", stuck_reason: null });
  expect(await minedNonce()).toBe(nonce);
  await waitInVain();
  await blocks(testEngine, 1, 15n * GWEI);
  const [first, second] = (await attempts()).map(({ raw }) => parseTransaction(raw as `0x02${string}`));
  expect(second).toMatchObject({ nonce: first?.nonce, to: first?.to, data: first?.data, gas: first?.gas });
  for (const fee of ["maxFeePerGas", "maxPriorityFeePerGas"] as const)
    expect((second?.[fee] ?? 0n) * 10n).toBeGreaterThanOrEqual((first?.[fee] ?? 0n) * 11n);
  await blocks(testEngine, 4, 15n * GWEI);
  expect(await payout()).toEqual({ state: "final", stuck_reason: null });
  expect((await attempts()).map(({ status }) => status)).toEqual(["dead", "mined"]);
  expect(await minedNonce()).toBe(nonce + 1);
  expect(await wallet.depositBalance({ address: destinationAddress, index: 0n }, "usdt-erc20")).toBe(FULL);
  const shown = await testEngine.engine.orderService.info(order.orderId, destinationAddress);
  expect(shown.withdrawals).toMatchObject([{ txId: (await attempts())[1]?.txId }]);
});

it("a replacement leaves less room for a further rise where the whole of it would cost too much", async () => {
  const { testEngine } = await swap();
  await blocks(testEngine, 3);
  await blocks(testEngine, 2, 40n * GWEI);
  await waitInVain();
  await blocks(testEngine, 1, 40n * GWEI);
  expect(await payout()).toEqual({ state: "broadcast", stuck_reason: null });
  const [, second] = (await attempts()).map(({ raw }) => parseTransaction(raw as `0x02${string}`));
  expect(second?.maxFeePerGas).toBeGreaterThan(41n * GWEI);
  expect(second?.maxFeePerGas).toBeLessThan(80n * GWEI);
  await blocks(testEngine, 4, 40n * GWEI);
  expect(await payout()).toEqual({ state: "final", stuck_reason: null });
});

it("a payment is judged by what it will cost, and waits while that is far more than was charged", async () => {
  const { testEngine } = await swap();
  await blocks(testEngine, 1);
  await blocks(testEngine, 3, 30n * GWEI);
  expect(await payout()).toEqual({ state: "intended", stuck_reason: null });
  await blocks(testEngine, 1, 10n * GWEI);
  const [first] = (await attempts()).map(({ raw }) => parseTransaction(raw as `0x02${string}`));
  expect(first?.maxFeePerGas).toBeGreaterThan(11n * GWEI);
  expect(first?.maxFeePerGas).toBeLessThan(21n * GWEI);
  await blocks(testEngine, 4, 10n * GWEI);
  expect(await payout()).toEqual({ state: "final", stuck_reason: null });
});

it("a payment is not signed while base fee and tip alone are over the cap, and goes on by itself when they fall", async () => {
  const { testEngine } = await swap();
  await blocks(testEngine, 1);
  await blocks(testEngine, 3, 500n * GWEI);
  expect(await payout()).toEqual({ state: "intended", stuck_reason: "network_fees_over_cap" });
  expect(await database.kysely.selectFrom("payout_handles").selectAll().execute()).toEqual([]);
  await blocks(testEngine, 1);
  expect(await payout()).toEqual({ state: "broadcast", stuck_reason: null });
  await blocks(testEngine, 4);
  expect(await payout()).toEqual({ state: "final", stuck_reason: null });
});

it("a replacement that would cost far more than was charged is not signed, and the payment is mined once fees fall", async () => {
  const { testEngine } = await swap();
  await blocks(testEngine, 3);
  await blocks(testEngine, 1, 120n * GWEI);
  await waitInVain();
  await blocks(testEngine, 1, 120n * GWEI);
  expect(await payout()).toEqual({ state: "broadcast", stuck_reason: "fee_over_charge" });
  expect(await attempts()).toHaveLength(1);
  await blocks(testEngine, 8);
  expect(await payout()).toEqual({ state: "final", stuck_reason: null });
});

const signed = async (payment: Payment, reserved: readonly Handle[] = []) => {
  const handle = await wallet.chooseHandle(payment, reserved);
  return { handle, prepared: await wallet.prepare(payment, handle) };
};
const replace = (payment: Payment, handle: Handle, stuck: PreparedPayment[]) =>
  wallet.prepareReplacement?.(payment, handle, stuck, []);

it("nothing is signed while a payment waits for another nonce, or its fee is still enough", async () => {
  await mineAt(GWEI);
  const [early, late] = [newAddress(), newAddress()].map((toAddress) => ({
    slug: "eth",
    toAddress,
    toMemo: null,
    amount: 1_000n,
  }));
  if (early === undefined || late === undefined) throw new Error("two payments");
  const first = await signed(early);
  const second = await signed(late, [first.handle]);
  expect(await replace(early, first.handle, [first.prepared])).toBeNull();
  await mineAt(20n * GWEI);
  expect(await replace(late, second.handle, [second.prepared])).toBeNull();
  const once = await replace(early, first.handle, [first.prepared]);
  if (once == null) throw new Error("it is not replaced");
  await mineAt(90n * GWEI);
  const twice = await replace(early, first.handle, [first.prepared, once]);
  if (twice == null) throw new Error("it is not replaced again");
  expect(twice.maxCost).toBeGreaterThan(once.maxCost);
  await mineAt(500n * GWEI);
  await expect(replace(early, first.handle, [first.prepared, once, twice])).rejects.toMatchObject({
    reason: "fee_over_cap",
  });
  await expect(replace(early, first.handle, [second.prepared])).rejects.toThrow("is not on the nonce");
  await mineAt(GWEI);
  for (const one of [first.prepared, once, twice]) await wallet.broadcast(one);
  await mineAt(GWEI);
  const found = await Promise.all([first.prepared, once, twice].map(({ txId }) => wallet.lookup(txId)));
  expect(found.map(({ kind }) => kind)).toEqual(["absent", "absent", "mined"]);
  expect(await replace(early, first.handle, [first.prepared])).toBeNull();
});

it("an empty payment is replaced by one that pays more than all before it", async () => {
  await mineAt(GWEI);
  const payment = { slug: "eth", toAddress: newAddress(), toMemo: null, amount: 1_000n };
  const { handle, prepared } = await signed(payment);
  const empty = await wallet.prepareCancellation?.(handle, [prepared]);
  if (empty == null) throw new Error("it is not cancelled");
  const again = await wallet.prepareCancellation?.(handle, [prepared, empty]);
  if (again == null) throw new Error("it is not cancelled again");
  for (const one of [prepared, empty, again]) expect(await wallet.broadcast(one)).toEqual({ kind: "accepted" });
  await mineAt(GWEI);
  expect((await wallet.lookup(again.txId)).kind).toBe("mined");
  expect((await wallet.lookup(prepared.txId)).kind).toBe("absent");
});

it("the sweep of a token is replaced as far as its address can pay", async () => {
  await mineAt(GWEI);
  const index = 77n;
  const { address } = createEvmNetwork({ ...setup.options(), xpub: setup.keys.xpub }).depositAddress(index);
  const payment = { slug: "usdt-erc20", toAddress: wallet.hotAddress(), toMemo: null, amount: 1_000_000n };
  await setup.devnet.pay({ to: address, slug: "usdt-erc20", amount: payment.amount });
  await mineAt(GWEI);
  const source = { address, index };
  const cost = await wallet.sweepCost(source, payment);
  await setup.devnet.pay({ to: address, slug: "eth", amount: 2n * cost });
  await mineAt(GWEI);
  const handle = await wallet.chooseSweepHandle(source, payment, []);
  if (handle === null) throw new Error("it can't pay");
  const stuck = await wallet.prepareSweep(source, payment, handle);
  const { maxFeePerGas = 0n } = parseTransaction(stuck.raw as `0x02${string}`);
  await mineAt(maxFeePerGas);
  const replacement = await wallet.prepareSweepReplacement?.(source, payment, handle, [stuck]);
  if (replacement == null) throw new Error("it is not replaced");
  expect(replacement.maxCost).toBeLessThanOrEqual(2n * cost);
  await mineAt(2n * maxFeePerGas);
  await expect(wallet.prepareSweepReplacement?.(source, payment, handle, [stuck, replacement])).rejects.toThrow(
    NotEnoughFundsError,
  );
  await mineAt(GWEI);
  expect(await wallet.broadcast(replacement)).toEqual({ kind: "accepted" });
  await mineAt(GWEI);
  expect(await wallet.lookup(replacement.txId)).toMatchObject({ kind: "mined", succeeded: true });
});

/** An order's ether on its deposit address, and a sweep of it that is signed for a fee of `GWEI`. */
async function sweepUnderWay() {
  // An address that no test before has paid to.
  await database.pool.query("update first_deposit_index set value = 1000");
  const reader = createEvmNetwork({ ...setup.options(), xpub: setup.keys.xpub });
  const contractAddresses = new Map(Object.entries(setup.devnet.contracts));
  const testEngine = await createTestEngine({ database, reader, wallet, contractAddresses });
  await testEngine.settle();
  const client = { key: "test", traceId: "test" };
  const order = await testEngine.engine.orderService.create(orderBody({ destinationAddress: newAddress() }), client);
  await setup.devnet.pay({ to: order.depositAddress, slug: "eth", amount: HALF_ETH });
  await blocks(testEngine, 8);
  await testEngine.engine.planSweeps();
  const sweepBlocks = async (count: number, baseFee = GWEI) => {
    for (let mined = 0; mined < count; mined += 1) {
      while (await testEngine.engine.runSweeps("ETH"));
      await blocks(testEngine, 1, baseFee);
      while (await testEngine.engine.runSweeps("ETH"));
    }
  };
  while (await testEngine.engine.runSweeps("ETH"));
  return { address: order.depositAddress, sweepBlocks };
}

const sweepPayment = () =>
  database.kysely
    .selectFrom("payouts")
    .select(["id", "state", "stuck_reason", "amount"])
    .where("purpose", "=", "sweep")
    .executeTakeFirstOrThrow();
const sweepAttempts = async () => {
  const { id } = await sweepPayment();
  const rows = await database.kysely
    .selectFrom("payout_attempts")
    .select(["status", "raw"])
    .where("payout_id", "=", id)
    .orderBy("n")
    .execute();
  return rows.map(({ status, raw }) => ({ status, ...parseTransaction(raw as `0x02${string}`) }));
};
const sweepsHold = (address: string, arrived: bigint) =>
  sweepViolations(database, {
    holds: async (of, slug) => (of === address ? wallet.depositBalance({ address, index: 0n }, slug) : 0n),
    arrived: async (slug) => (slug === "eth" ? [arrived] : []),
  });

it("the sweep of ether that a risen base fee leaves out moves less for a higher fee, and arrives once", async () => {
  const { address, sweepBlocks } = await sweepUnderWay();
  await mineAt(20n * GWEI);
  const before = await wallet.hotBalance("eth");
  const planned = (await sweepPayment()).amount;
  await sweepBlocks(2, 20n * GWEI);
  expect(await sweepPayment()).toMatchObject({ state: "broadcast", amount: planned });
  await waitInVain();
  await sweepBlocks(1, 20n * GWEI);
  const [first, second] = await sweepAttempts();
  expect(second).toMatchObject({ nonce: first?.nonce, to: first?.to });
  expect(first?.value).toBe(planned);
  expect(second?.value).toBe(HALF_ETH - (second?.gas ?? 0n) * (second?.maxFeePerGas ?? 0n));
  await sweepBlocks(8, 20n * GWEI);
  expect((await sweepAttempts()).map(({ status }) => status)).toEqual(["dead", "mined"]);
  const moved = second?.value ?? 0n;
  expect(await sweepPayment()).toMatchObject({ state: "final", amount: moved });
  expect((await wallet.hotBalance("eth")) - before).toBe(moved);
  expect(await sweepsHold(address, moved)).toEqual([]);
});
