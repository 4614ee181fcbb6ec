import { afterEach, beforeEach, expect, it } from "vitest";
import { rowViolations } from "../support/checkers/row-checkers.ts";
import { ADDRESS } from "../support/scenarios/earnings-scenario.ts";
import { RestoredEarnings, UNIT } from "../support/scenarios/restored-earnings.ts";

const stop = { action: "pay", scope: "TRX", direction: "both" } as const;
const PAID = 9n * UNIT;

let given: RestoredEarnings;
let txId: string;

/**
 * Two withdrawals of one sum to one address: the first is signed and waits for a block, the second is not signed, and was paid after the backup by
 * a transaction that uses another nonce than the first.
 */
beforeEach(async () => {
  given = await RestoredEarnings.open(60n * UNIT);
  const { tron } = given.scenario;
  const mine = tron.mine.bind(tron);
  tron.mine = (count) => {
    const waiting = tron.pending.filter(({ nonce }) => nonce === 0);
    for (const { txId: waitingId } of waiting) tron.evict(waitingId);
    mine(count);
    tron.pending.push(...waiting);
  };
  await given.ask(ADDRESS, "10");
  await given.engine.settle();
  await given.engine.switches.stop({ ...stop, reason: "a check" });
  await given.ask(ADDRESS, "10");
  await given.blocks(3);
  tron.mine();
  txId = "f".repeat(64);
  const transfers = [{ outputIndex: -1, toAddress: ADDRESS.toLowerCase(), slug: "usdt-trc20", amount: PAID }];
  tron.tip.transactions.push({ txId, from: "hot", nonce: 77, transfers });
  await given.engine.switches.release(stop);
  await given.blocks(3);
});
afterEach(() => given.database.drop());

const signed = () =>
  given.database.kysely
    .selectFrom("payout_attempts")
    .select(["payout_id as id", "tx_id as txId"])
    .where("raw", "<>", "")
    .executeTakeFirstOrThrow();
const book = (id: string) => given.say(`unknown-payment book TRX ${txId} ${id} it is --as ann`);

it("a payment whose own bytes still wait is not booked as one that doesn't exclude them, and is not named first", async () => {
  const own = await signed();
  const { mayBe } = await given.unknown();
  expect(mayBe).toMatchObject([
    { isSame: true, isBeside: false },
    { id: `${own.id}`, isSame: true, isBeside: true },
  ]);
  expect(await given.say("unknown-payments")).toContain("which is signed already");
  await expect(book(`${own.id}`)).rejects.toThrow(`${own.txId} may still reach the chain beside ${txId}`);
  await book(mayBe[0]?.id ?? "");
  const { tron } = given.scenario;
  tron.mine();
  tron.tip.transactions.push(...tron.pending.splice(0));
  await given.blocks(8);
  expect(given.received(ADDRESS)).toEqual([PAID, PAID]);
  expect(await given.wallet()).toBe(40n * UNIT);
  expect(await rowViolations(given.database)).toEqual([]);
});

it("a payment whose own bytes can provably never be mined is booked", async () => {
  const own = await signed();
  await given.blocks(8);
  await expect(book(`${own.id}`)).rejects.toThrow("may still reach the chain");
  // The node has dropped it: by the chain's last nonce none of it can come back.
  given.scenario.tron.evict(own.txId);
  await given.blocks(1);
  await book(`${own.id}`);
  await given.blocks(12);
  expect(given.received(ADDRESS)).toEqual([PAID, PAID]);
  expect(await rowViolations(given.database)).toEqual([]);
});
