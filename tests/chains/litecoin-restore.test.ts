import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hex } from "@scure/base";
import { Transaction } from "@scure/btc-signer";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { sql } from "kysely";
import * as z from "zod";
import { loadCatalogue } from "../../server/catalogue/index.ts";
import { chainOf } from "../../server/chains/bitcoin/chain-params.ts";
import { addressesBelow, depositXpub } from "../../server/chains/bitcoin/keys.ts";
import { inputKeys, parseTransaction, scriptOfAddress } from "../../server/chains/bitcoin/transaction.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { markRestored } from "../../server/db/backup/restored.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { restoreSavedBackup, saveRows, type SavedRows } from "../support/database/saved-rows.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "../support/scenarios/test-engine.ts";
import { BusyLitecoin } from "./support/busy-litecoin.ts";
import { anything, heldAt, text } from "./support/litecoin.ts";

const LTC = { currencyTitle: "LTC", networkTitle: "LTC", slug: "ltc" };
const HALF_ETH = 5n * 10n ** 17n;
const CONFIRMATIONS = 2;
const START_LIMIT_MS = 400_000;
const OTHER_MNEMONIC = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const FORGETFUL = ["-persistmempool=0"];

/** No wallet of the node has them: one would remember what it was paid. */
const strangers = addressesBelow(chainOf("LTC", "regtest"), depositXpub(chainOf("LTC", "regtest"), OTHER_MNEMONIC));
let index = 0;
let movesCoins = true;
let priceUsd = 100n;

let litecoin: BusyLitecoin;
let ether: FakeChain;
let database: TestDatabase;
let own: Database;
let testEngine: TestEngine;

beforeAll(async () => {
  litecoin = await BusyLitecoin.start();
  await litecoin.restart(FORGETFUL);
}, START_LIMIT_MS);
afterAll(() => litecoin?.end());
beforeEach(async () => {
  movesCoins = true;
  priceUsd = 100n;
  database = await freshDatabase();
  ether = new FakeChain();
  ether.mine(2);
  await startEngine();
});
afterEach(async () => {
  litecoin.line.behave();
  await own.close();
  await database.drop();
});

async function startEngine(): Promise<void> {
  const rates = new StillRates();
  rates.prices.set("ltc", priceUsd * 10n ** 18n);
  rates.fees.set("ltc", 100_000n);
  own = openDatabase(database.url, { max: 4, log: database.log, applicationName: "the worker" });
  const catalogue = await loadCatalogue({
    simulatedNetworks: new Set(["LTC"]),
    confirmations: new Map([
      ["eth", CONFIRMATIONS],
      ["ltc", CONFIRMATIONS],
    ]),
  });
  const { chooseConsolidation, ...rest } = litecoin.wallet();
  const wallet = movesCoins && chooseConsolidation !== undefined ? { ...rest, chooseConsolidation } : rest;
  const others = [{ reader: litecoin.reader(), wallet }];
  testEngine = await createTestEngine({ database: own, catalogue, rates, reader: ether, wallet: ether, others });
  await testEngine.settle();
}

async function turn(): Promise<void> {
  await timePasses(own);
  await testEngine.settle();
}

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    await litecoin.devnet.mine(1);
    await turn();
  }
}

/** An order whose payout is decided by the next block, the rows as they are then, and the payment that is sent after them. */
async function paidAfterBackup() {
  const destinationAddress = strangers(BigInt((index += 1)));
  const client = { key: "test", traceId: "test" };
  const order = await testEngine.engine.orderService.create(
    orderBody({ instrumentTo: LTC, destinationAddress }),
    client,
  );
  ether.deposit(order.depositAddress, "eth", HALF_ETH);
  ether.mine();
  await turn();
  const restore = await saveRows(database.url);
  ether.mine();
  await turn();
  const { raw, tx_id: txId } = await own.kysely
    .selectFrom("payout_attempts")
    .select(["raw", "tx_id"])
    .executeTakeFirstOrThrow();
  expect(await litecoin.isWaiting(txId)).toBe(true);
  return { destinationAddress, restore, raw, txId };
}

/** Another machine's node: what waited in the mempool is gone, and its wallet has never seen it. */
async function forgetPayment(): Promise<void> {
  const name = `wherry-${litecoin.wallet().hotAddress()}`;
  await litecoin.setup.ask("unloadwallet", [name], anything);
  const { logpath } = await litecoin.setup.ask("getrpcinfo", [], z.object({ logpath: text }));
  await rm(join(dirname(logpath), "wallets", name), { recursive: true });
  await litecoin.restart(FORGETFUL);
}

async function putBack(restore: SavedRows): Promise<void> {
  await own.close();
  await restoreSavedBackup(database, restore);
  await startEngine();
  await turn();
}

const waits = async () => (await listHeld(own)).find(({ subject }) => subject === "network LTC")?.details.at(-1)?.text;
/** Their states; the chain of the test begins with more coins than one transaction can spend. */
const movesToOurselves = async () => {
  const moves = own.kysely.selectFrom("payouts").select("state").where("purpose", "=", "consolidation").orderBy("id");
  return (await moves.execute()).map(({ state }) => state);
};
/** What payments to ourselves cost by the books. */
const bookedFees = async () => {
  const { rows } = await sql<{ fee: bigint }>`
    select e.amount as fee from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
    join ledger_accounts a on a.id = e.account_id join payouts p on p.id::text = t.source_id
    where a.name = 'hot' and t.kind = 'network_fee' and p.purpose = 'consolidation' order by t.id`.execute(own.kysely);
  return rows.map(({ fee }) => fee);
};
/** By the chain. */
const paidFees = async () => {
  const rows = await own.kysely
    .selectFrom("payout_attempts as a")
    .innerJoin("payouts as p", "p.id", "a.payout_id")
    .select("a.tx_id")
    .where("p.purpose", "=", "consolidation")
    .orderBy("p.id")
    .execute();
  const found = await Promise.all(rows.map(({ tx_id }) => litecoin.wallet().lookup(tx_id)));
  return found.map((one) => (one.kind === "mined" ? one.feePaid : null));
};
/** Of every payment of ours in a block, whether that shows it as one to ourselves, and whether it is one. */
const shownToOurselves = async () => {
  const rows = await own.kysely
    .selectFrom("payout_attempts as a")
    .innerJoin("payouts as p", "p.id", "a.payout_id")
    .select(["a.tx_id", "p.purpose"])
    .where("a.status", "=", "mined")
    .execute();
  return Promise.all(
    rows.map(async ({ tx_id: txId, purpose }) => {
      const found = await litecoin.wallet().lookup(txId);
      const block = found.kind === "mined" ? await litecoin.reader().blockAt(found.height) : null;
      return { isShown: block?.toOurselves?.includes(txId), isOne: purpose === "consolidation" };
    }),
  );
};
/** What was signed to ourselves, the oldest first. */
const signedMoves = () =>
  own.kysely
    .selectFrom("payout_attempts as a")
    .innerJoin("payouts as p", "p.id", "a.payout_id")
    .select(["a.raw", "a.tx_id as txId"])
    .where("p.purpose", "=", "consolidation")
    .orderBy("p.id")
    .orderBy("a.n")
    .execute();
const send = (raw: string) => litecoin.setup.ask("sendrawtransaction", [raw], text);

it("pays once where the customer sends a payment that was signed after the backup and that no node remembers", async () => {
  const { destinationAddress, restore, raw } = await paidAfterBackup();
  await forgetPayment();
  // What a new payment would be made of: the smallest coin that is enough.
  await litecoin.devnet.pay({ address: litecoin.wallet().hotAddress(), amount: 16n * 10n ** 8n });
  await litecoin.devnet.mine(1);
  await putBack(restore);
  expect(await waits()).toContain("to ourselves");
  expect(await heldAt(litecoin.setup, destinationAddress)).toEqual([]);
  await blocks(8);
  expect(await heldAt(litecoin.setup, destinationAddress)).toHaveLength(1);
  expect(await waits()).toBeUndefined();
  await expect(send(raw)).rejects.toThrow("missing");
  await blocks(1);
  expect(await heldAt(litecoin.setup, destinationAddress)).toHaveLength(1);
  expect(await listUnknownPayments(own)).toEqual([]);
  expect(await movesToOurselves()).toEqual(["final", "final"]);
  expect(await bookedFees()).toEqual(await paidFees());
  const shown = await shownToOurselves();
  expect(shown.map(({ isShown }) => isShown)).toEqual(shown.map(({ isOne }) => isOne));
  expect(new Set(shown.map(({ isOne }) => isOne)).size).toBe(2);
});

it("pays once where that payment spends a small coin which costs more than it is worth while the wallet is restored", async () => {
  // So that it takes some 60,000.
  priceUsd = 937_500n;
  await own.close();
  await startEngine();
  const address = litecoin.wallet().hotAddress();
  for (let paid = 0; paid < 20; paid += 1) await litecoin.devnet.pay({ address, amount: 100_000n });
  await blocks(1);
  const { destinationAddress, restore, raw } = await paidAfterBackup();
  await forgetPayment();
  // What a new payment would be made of.
  await litecoin.devnet.pay({ address, amount: 90_000n });
  await litecoin.devnet.mine(1);
  // An input of 68 bytes costs more than that.
  litecoin.raiseFees(1_800n);
  await putBack(restore);
  expect(await waits()).toContain("to ourselves");
  await blocks(8);
  expect(await waits()).toBeUndefined();
  litecoin.line.behave();
  await blocks(3);
  expect(await heldAt(litecoin.setup, destinationAddress)).toHaveLength(1);
  await expect(send(raw)).rejects.toThrow("missing");
  await blocks(1);
  expect(await heldAt(litecoin.setup, destinationAddress)).toHaveLength(1);
  expect(new Set(await movesToOurselves())).toEqual(new Set(["final"]));
});

it("would pay twice without the payments to ourselves", async () => {
  const { destinationAddress, restore, raw } = await paidAfterBackup();
  await forgetPayment();
  await litecoin.devnet.pay({ address: litecoin.wallet().hotAddress(), amount: 16n * 10n ** 8n });
  await litecoin.devnet.mine(1);
  movesCoins = false;
  await putBack(restore);
  await blocks(2);
  await send(raw);
  await blocks(2);
  expect(await heldAt(litecoin.setup, destinationAddress)).toHaveLength(2);
});

it("pays once where a block takes that payment while our own payment to ourselves waits, which is signed anew once that is booked", async () => {
  const { destinationAddress, restore, raw, txId } = await paidAfterBackup();
  await forgetPayment();
  litecoin.line.misbehave(({ method }) => (method === "sendrawtransaction" ? { kind: "cut" } : { kind: "pass" }));
  await putBack(restore);
  expect(await movesToOurselves()).toHaveLength(1);
  await send(raw);
  await blocks(1);
  litecoin.line.behave();
  await blocks(3);
  const [unknown] = await listUnknownPayments(own);
  expect(unknown).toMatchObject({ txId, mayBe: [{ isSame: true, isUnsigned: true }] });
  // Until somebody has decided what it was, nothing is signed.
  const booked = `unknown-payment book LTC ${txId} ${unknown?.mayBe[0]?.id} it was paid --as ann`.split(" ");
  await runRecoveryCommand(own, testEngine.catalogue, booked);
  await blocks(5);
  expect(await waits()).toBeUndefined();
  expect(await movesToOurselves()).toEqual(["final"]);
  expect(await heldAt(litecoin.setup, destinationAddress)).toHaveLength(1);
});

it("takes no payment for ours because its input shows our public key: that needs no signature", async () => {
  const { raw } = await paidAfterBackup();
  await blocks(4);
  const [, key = ""] = (parseTransaction(raw).getInput(0).finalScriptWitness ?? []).map((item) => hex.encode(item));
  const { p2sh } = await litecoin.setup.ask("decodescript", [`21${key}`], z.object({ p2sh: text }));
  const funding = await litecoin.setup.customer("sendtoaddress", [p2sh, 0.011], text);
  await litecoin.devnet.mine(1);
  const { hex: bytes } = await litecoin.setup.customer("gettransaction", [funding], z.object({ hex: text }));
  const paid = parseTransaction(bytes);
  const outputs = Array.from({ length: paid.outputsLength }, (_, at) => paid.getOutput(at).amount);
  const forged = new Transaction({ allowUnknownInputs: true });
  forged.addOutput({ script: scriptOfAddress(chainOf("LTC", "regtest"), strangers(900n)), amount: 1_000_000n });
  forged.addInput({ txid: funding, index: outputs.indexOf(1_100_000n), finalScriptSig: hex.decode(`2221${key}`) });
  await send(forged.hex);
  await blocks(2);
  expect(await listUnknownPayments(own)).toEqual([]);
});

it("replaces a payment to ourselves of an earlier restore that waits in its node's pool for lower fees, over the same coins", async () => {
  await blocks(1);
  const backup = await saveRows(database.url);
  await own.close();
  await inTransaction(database, markRestored);
  await startEngine();
  for (let more = 0; (await signedMoves()).length === 0 && more < 5; more += 1) await turn();
  const [before] = await signedMoves();
  if (before === undefined) throw new Error("nothing was moved");
  expect(await litecoin.isWaiting(before.txId)).toBe(true);
  litecoin.raiseFees(50n);
  await putBack(backup);
  await turn();
  // As one that died before it sent anything: what was signed is in the rows.
  await own.close();
  await startEngine();
  await turn();
  const [next] = await signedMoves();
  if (next === undefined) throw new Error("nothing replaced it");
  expect(next.txId).not.toBe(before.txId);
  expect(inputKeys(parseTransaction(next.raw)).toSorted()).toEqual(inputKeys(parseTransaction(before.raw)).toSorted());
  expect([await litecoin.isWaiting(before.txId), await litecoin.isWaiting(next.txId)]).toEqual([false, true]);
  await blocks(10);
  expect(await waits()).toBeUndefined();
  expect(new Set(await movesToOurselves())).toEqual(new Set(["final"]));
  expect(await bookedFees()).toEqual(await paidFees());
});
