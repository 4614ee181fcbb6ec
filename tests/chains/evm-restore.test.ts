import { getAddress, keccak256, parseTransaction, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { createEvmNetwork, createEvmWallet } from "../../server/chains/evm/network.ts";
import { markRestored } from "../../server/db/backup/restored.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { EVM_CAPS } from "../support/chains/evm-caps.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { restoreRows, saveRows } from "../support/database/saved-rows.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";
import { hex, startEvmSetup, type EvmSetup } from "./support/evm.ts";
import { startRpcProxy, type RpcProxy } from "./support/rpc-proxy.ts";

const USDT = { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" };
const ETH = { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" };
const SIX_USDT = 6_000_000n;

let setup: EvmSetup;
let database: TestDatabase;
let own: Database;
let testEngine: TestEngine;
let proxy: RpcProxy;
let usesNonces = true;
let made = 0;

beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
  proxy = await startRpcProxy(setup.devnet.rpcUrl);
});
afterAll(async () => {
  await proxy.stop();
  await setup.end();
});
beforeEach(async () => {
  usesNonces = true;
  proxy.behave();
  database = await freshDatabase();
  await startEngine();
});
afterEach(async () => {
  await own.close();
  await database.drop();
});

function drivers() {
  const [options, { xpub, mnemonic, hotAddress }] = [setup.options(proxy.rpcUrl), setup.keys];
  const reader = createEvmNetwork({ ...options, xpub, hotAddress });
  return { reader, wallet: createEvmWallet({ ...options, mnemonic, caps: EVM_CAPS }) };
}

async function startEngine(): Promise<void> {
  own = openDatabase(database.url, { max: 4, log: database.log, applicationName: "the worker" });
  const { reader, wallet } = drivers();
  if (!usesNonces) Object.assign(wallet, { chooseConsolidation: undefined });
  const contractAddresses = new Map(Object.entries(setup.devnet.contracts));
  testEngine = await createTestEngine({ database: own, reader, wallet, contractAddresses });
  await testEngine.settle();
}

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    await setup.devnet.mine(1);
    await timePasses(own);
    await testEngine.settle();
  }
}

/** An order that pays ether to a new address, and its deposit in the next block. */
async function order(): Promise<void> {
  const destination = getAddress(`0x${(made += 1).toString(16).padStart(4, "0").repeat(10)}`);
  const body = orderBody({
    instrumentFrom: USDT,
    instrumentTo: ETH,
    destinationAddress: destination,
    claimedDepositAmount: "6",
    claimedPublicRate: { price: "1", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1" },
  });
  const { depositAddress } = await testEngine.engine.orderService.create(body, {
    key: "test",
    traceId: "test",
  });
  await setup.devnet.pay({ to: depositAddress, slug: "usdt-erc20", amount: SIX_USDT });
}

const balanceOf = async (address: string) => BigInt(await setup.ask("eth_getBalance", [address, "latest"], hex));
/** What was signed, by its nonce. */
const signed = async () => {
  const rows = await own.kysely
    .selectFrom("payout_attempts as a")
    .innerJoin("payouts as p", "p.id", "a.payout_id")
    .select(["a.raw", "p.order_id", "p.to_address"])
    .execute();
  return rows.toSorted((one, other) => nonceOf(one.raw) - nonceOf(other.raw));
};
const nonceOf = (raw: string) => parseTransaction(raw as Hex).nonce ?? 0;
const waits = async () => (await listHeld(own)).find(({ subject }) => subject === "network ETH")?.details.at(-1)?.text;
const moves = () => own.kysely.selectFrom("payouts").select("state").where("purpose", "=", "consolidation").execute();

/**
 * Two payments are signed after a backup, no node remembers them, and the first is not made again after its restore: the second would take
 * its nonce. Returns the bytes of the second, which its customer kept, and where they pay to.
 */
async function restoredBackup(
  forgotten: "both" | "the first" = "both",
): Promise<{ kept: string; paid: () => Promise<bigint> }> {
  for (let orders = 0; orders < 2; orders += 1) await order();
  await blocks(1);
  const restore = await saveRows(database.url);
  for (let more = 0; (await signed()).length < 2 && more < 10; more += 1) await blocks(1);
  const [below, above] = await signed();
  if (below === undefined || above === undefined) throw new Error("two payments are signed");
  await setup.ask("anvil_dropAllTransactions", [], z.unknown());
  if (forgotten === "the first") await setup.ask("eth_sendRawTransaction", [above.raw], hex);
  await own.close();
  await restoreRows(database.pool, restore);
  await database.pool.query("drop schema saved cascade");
  await database.pool.query("update deposits set review_reason = 'changed' where order_id = $1", [below.order_id]);
  await inTransaction(database, markRestored);
  await startEngine();
  return { kept: above.raw, paid: () => balanceOf(above.to_address) };
}

it("pays once where the customer sends a payment that was signed after the backup and that no node remembers", async () => {
  const { kept, paid } = await restoredBackup();
  await blocks(2);
  expect(await waits()).toContain("to ourselves");
  expect(await paid()).toBe(0n);
  for (let more = 0; (await paid()) === 0n && more < 60; more += 1) await blocks(1);
  const once = await paid();
  expect(once).toBeGreaterThan(0n);
  await expect(setup.ask("eth_sendRawTransaction", [kept], hex)).rejects.toThrow(/nonce too low/);
  await blocks(2);
  expect(await paid()).toBe(once);
  expect(await waits()).toBeUndefined();
  expect(await listUnknownPayments(own)).toEqual([]);
  expect(new Set((await moves()).map(({ state }) => state))).toEqual(new Set(["final"]));
});

it("would pay twice without the empty payments that use the nonces", async () => {
  usesNonces = false;
  const { kept, paid } = await restoredBackup();
  for (let more = 0; (await paid()) === 0n && more < 20; more += 1) await blocks(1);
  const once = await paid();
  await setup.ask("eth_sendRawTransaction", [kept], hex);
  await blocks(1);
  expect(await paid()).toBeGreaterThan(once);
});

it("pays once what waits behind a missing nonce in a node that hides it: it is mined meanwhile, and an unknown payment then", async () => {
  const body = { error: { code: -32_601, message: "the method does not exist" } };
  proxy.misbehave(({ method }) => (method.startsWith("txpool_") ? { kind: "answer", body } : { kind: "pass" }));
  const { kept, paid } = await restoredBackup("the first");
  await blocks(12);
  const once = await paid();
  expect(once).toBeGreaterThan(0n);
  expect(await listUnknownPayments(own)).toMatchObject([{ txId: keccak256(kept as Hex) }]);
  await blocks(30);
  expect(await paid()).toBe(once);
});

it("ends by itself where the same backup is restored again while what was signed after the first restore is in blocks", async () => {
  for (let orders = 0; orders < 2; orders += 1) await order();
  await blocks(1);
  const backup = await saveRows(database.url);
  for (let more = 0; (await signed()).length < 2 && more < 10; more += 1) await blocks(1);
  const kept = await signed();
  await setup.ask("anvil_dropAllTransactions", [], z.unknown());
  for (const until of [3, 2, 0]) {
    await own.close();
    await restoreRows(database.pool, backup);
    await inTransaction(database, markRestored);
    await startEngine();
    await blocks(until);
  }
  const paid = () => Promise.all(kept.map(({ to_address }) => balanceOf(to_address)));
  for (let more = 0; (await paid()).includes(0n) && more < 60; more += 1) await blocks(1);
  const once = await paid();
  expect(once.every((amount) => amount > 0n)).toBe(true);
  for (const { raw } of kept)
    await expect(setup.ask("eth_sendRawTransaction", [raw], hex)).rejects.toThrow(/nonce too low/);
  await blocks(2);
  expect(await paid()).toEqual(once);
  expect(await waits()).toBeUndefined();
  expect(await listUnknownPayments(own)).toEqual([]);
  const decided = await own.kysely.selectFrom("unknown_payments").select("decision").execute();
  expect(decided.map(({ decision }) => decision)).toEqual(decided.map(() => "to ourselves"));
  expect(decided.length).toBeGreaterThan(2);
});

it("goes on by itself where its ether is gone when a payment to ourselves is signed, once there is some again", async () => {
  const { paid } = await restoredBackup();
  const { hotAddress } = setup.keys;
  const had = await balanceOf(hotAddress);
  await setup.ask("anvil_dropAllTransactions", [], z.unknown());
  await setup.ask("anvil_setBalance", [hotAddress, "0x0"], z.unknown());
  const states = async () => (await moves()).map(({ state }) => state);
  for (let more = 0; !(await states()).includes("review") && more < 10; more += 1) await blocks(1);
  await blocks(1);
  expect(await waits()).toMatch(/broadcast_refused: .*insufficient funds/i);
  await setup.ask("anvil_setBalance", [hotAddress, `0x${had.toString(16)}`], z.unknown());
  for (let more = 0; (await paid()) === 0n && more < 60; more += 1) {
    await own.pool.query("update payouts set review_at = now() - interval '1 hour' where state = 'returned'");
    await blocks(1);
  }
  expect(await paid()).toBeGreaterThan(0n);
  expect(await waits()).toBeUndefined();
  expect(new Set(await states())).toEqual(new Set(["returned", "final"]));
});

it("says that gas costs too much to use the nonces, and reads on until it costs less", async () => {
  const expensive = () =>
    setup.ask("anvil_setNextBlockBaseFeePerGas", [`0x${(900n * 10n ** 9n).toString(16)}`], z.unknown());
  for (let orders = 0; orders < 2; orders += 1) await order();
  await blocks(1);
  await inTransaction(database, markRestored);
  for (let block = 0; block < 2; block += 1) {
    await expensive();
    await blocks(1);
  }
  expect(await waits()).toMatch(/can't be made now: .*cap/);
  expect(await moves()).toEqual([]);
  await setup.ask("anvil_setNextBlockBaseFeePerGas", ["0x3b9aca00"], z.unknown());
  for (let more = 0; (await waits()) !== undefined && more < 60; more += 1) await blocks(1);
  expect(await waits()).toBeUndefined();
});

it("takes no transaction for one to ourselves that code of our account has run in", async () => {
  const { hotAddress } = setup.keys;
  const { wallet, reader } = drivers();
  // What other tests have sent.
  await setup.devnet.mine(2);
  const nonce = BigInt(await setup.ask("eth_getTransactionCount", [hotAddress, "latest"], hex));
  const send = (more: object) =>
    setup.ask(
      "eth_sendTransaction",
      [{ from: hotAddress, to: hotAddress, value: "0x1", gas: "0x30d40", ...more }],
      hex,
    );
  await setup.ask("anvil_impersonateAccount", [hotAddress], z.unknown());
  const flagged = async () => {
    const shown = (await wallet.recentPayments?.(0)) ?? [];
    await setup.devnet.mine(1);
    const { height } = await reader.head();
    const { sent = [], toOurselves = [] } = (await reader.blockAt(height)) ?? {};
    expect(sent).toEqual(shown.map(({ txId }) => txId));
    return {
      waiting: shown.map(({ isToOurselves = false }) => isToOurselves),
      mined: sent.map((id) => toOurselves.includes(id)),
    };
  };
  await send({});
  expect(await flagged()).toEqual({ waiting: [true], mined: [true] });
  await send({ data: "0x01" });
  expect(await flagged()).toEqual({ waiting: [false], mined: [false] });
  // Writes a word: what an account does that authorised code before.
  await setup.ask("anvil_setCode", [hotAddress, "0x600160005500"], z.unknown());
  await send({});
  expect(await flagged()).toEqual({ waiting: [true], mined: [false] });
  await setup.ask("anvil_setCode", [hotAddress, "0x"], z.unknown());
  await setup.ask("anvil_stopImpersonatingAccount", [hotAddress], z.unknown());
  expect(BigInt(await setup.ask("eth_getTransactionCount", [hotAddress, "latest"], hex))).toBe(nonce + 3n);
});

it("replaces a payment to ourselves of an earlier restore that waits in its node's pool under the base fee", async () => {
  for (let orders = 0; orders < 2; orders += 1) await order();
  await blocks(1);
  const backup = await saveRows(database.url);
  await inTransaction(database, markRestored);
  for (let more = 0; (await signed()).length === 0 && more < 10; more += 1) {
    await timePasses(own);
    await testEngine.settle();
  }
  await testEngine.settle();
  const [before] = await signed();
  const all = await setup.ask(
    "txpool_content",
    [],
    z.looseObject({ pending: z.record(z.string(), z.looseObject({})) }),
  );
  const isOurs = ([sender]: [string, object]) => sender.toLowerCase() === setup.keys.hotAddress.toLowerCase();
  const pending = Object.entries(all.pending).find(isOurs)?.[1] ?? {};
  expect(Object.keys(pending)).toHaveLength(1);
  // A node keeps what pays less than the base fee: it is shown, and no block takes it until its nonce is used.
  let isReplaced = false;
  proxy.misbehave(({ method }) =>
    method === "txpool_contentFrom" && !isReplaced
      ? { kind: "answer", body: { result: { pending, queued: {} } } }
      : { kind: "pass" },
  );
  await own.close();
  await restoreRows(database.pool, backup);
  await inTransaction(database, markRestored);
  await startEngine();
  const nonce = nonceOf(before?.raw ?? "");
  const used = async () => Number(await setup.ask("eth_getTransactionCount", [setup.keys.hotAddress, "latest"], hex));
  const raise = () => setup.ask("anvil_setNextBlockBaseFeePerGas", ["0x4a817c800"], z.unknown());
  for (let more = 0; !isReplaced && more < 15; more += 1) {
    await raise();
    await blocks(1);
    isReplaced = (await used()) > nonce;
  }
  const [first] = await signed();
  const [old, next] = [before, first].map((one) => parseTransaction((one?.raw ?? "0x") as Hex));
  expect(await used()).toBe(nonce + 1);
  expect({ to: next?.to, nonce: next?.nonce ?? 0 }).toEqual({ to: old?.to, nonce });
  expect(next?.maxFeePerGas).toBeGreaterThan(((old?.maxFeePerGas ?? 0n) * 11n) / 10n);
  expect(next?.maxPriorityFeePerGas).toBeGreaterThan(((old?.maxPriorityFeePerGas ?? 0n) * 11n) / 10n);
  for (let more = 0; (await waits()) !== undefined && more < 60; more += 1) await blocks(1);
  expect(await waits()).toBeUndefined();
  expect(new Set((await moves()).map(({ state }) => state))).toEqual(new Set(["final"]));
  // Its orders are paid next, which no other test knows.
  await setup.ask("anvil_dropAllTransactions", [], z.unknown());
});
