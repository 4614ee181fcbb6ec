import { afterEach, beforeEach, expect, it } from "vitest";
import { OperatorError } from "../../server/admin/audit.ts";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const ROUNDS = 6;
const FINAL = 8;
const ELSEWHERE = "elsewhere";

let database: TestDatabase;
let swap: FaultySwap;

/** A payment that is worth more than one operator's word. */
beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database, { approval: { aboveUsd: 1 } });
  await swap.open();
  swap.pay();
  await swap.blocks(6);
  expect(await payout()).toMatchObject({ state: "review", review_reason: "large_payment" });
});
afterEach(() => database.drop());

const payout = () =>
  database.kysely
    .selectFrom("payouts")
    .select(["id", "state", "purpose", "review_reason", "approval_proposed_by", "approval_confirmed_by"])
    .executeTakeFirstOrThrow();

/** Says it; what is refused says so, and anything else is a fault. */
async function say(text: string): Promise<boolean> {
  try {
    await runHeldCommand({ database, catalogue: swap.testEngine.catalogue, isRegtest: true }, text.split(" "));
    return true;
  } catch (error) {
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

const everyWord = (id: bigint): string[] =>
  ["ann", "bob", "cay"].flatMap((name) => [
    `payout release ${id} fine --as ${name}`,
    `payout confirm ${id} fine --as ${name}`,
    `payout retry ${id} again --as ${name}`,
    `payout refund ${id} back --as ${name} --to ${ELSEWHERE}`,
  ]);

it("all that three operators can say of a payment at one moment, while a worker runs, pays once and what two agreed on", async () => {
  const { id } = await payout();
  for (let round = 0; round < ROUNDS; round += 1) {
    const words = everyWord(id).toSorted(() => Math.random() - 0.5);
    await Promise.all([...words.map(say), swap.settle()]);
    await swap.blocks(1);
  }
  await swap.blocks(FINAL);
  const ended = await payout();
  const arrived = [...swap.chain.received("destination", "usdt-erc20"), ...swap.chain.received(ELSEWHERE, "eth")];
  expect(arrived).toHaveLength(ended.state === "final" ? 1 : 0);
  if (ended.state === "final") {
    const { approval_proposed_by: proposed, approval_confirmed_by: confirmed } = ended;
    expect([proposed, confirmed]).toEqual([expect.any(String), expect.any(String)]);
    expect(confirmed).not.toBe(proposed);
  }
});

it("of those who confirm proposals of one shortage at one moment one does: it is booked once", async () => {
  await swap.testEngine.switches.reportShortage("ETH", "usdt-erc20", 1_000_000n);
  const names = ["ann", "bob", "cay", "dan"];
  for (const name of names) await say(`freeze propose ETH usdt-erc20 hot missing 1 by hand --as ${name}`);
  const { rows } = await database.pool.query<{ id: string }>("select id from adjustments order by id");
  expect(rows).toHaveLength(names.length);
  const confirmed = await Promise.all(rows.map(({ id }) => say(`freeze confirm ${id} checked --as eve`)));
  expect(confirmed.filter(Boolean)).toHaveLength(1);
  const booked = await database.pool.query("select 1 from ledger_transfers where kind = 'adjustment'");
  expect(booked.rows).toHaveLength(1);
});

it("of twenty who confirm at one moment one does, and nobody who proposed it", async () => {
  const { id } = await payout();
  const proposals = await Promise.all(Array.from({ length: 20 }, () => say(`payout release ${id} fine --as ann`)));
  expect(proposals.filter(Boolean)).toHaveLength(1);
  const names = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? "Ann" : "bob"));
  const confirmed = await Promise.all(names.map((name) => say(`payout confirm ${id} fine --as ${name}`)));
  expect(confirmed.filter((_, at) => at % 2 === 0)).not.toContain(true);
  expect(confirmed.filter(Boolean)).toHaveLength(1);
  await swap.blocks(FINAL);
  expect(await payout()).toMatchObject({ state: "final", approval_proposed_by: "ann", approval_confirmed_by: "bob" });
  expect(swap.paid()).toHaveLength(1);
  const actions = await database.kysely.selectFrom("operator_actions").select("action").execute();
  expect(actions).toHaveLength(2);
});
