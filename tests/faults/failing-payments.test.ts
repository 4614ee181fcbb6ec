import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "../../server/base/logging/log.ts";
import { FeesOverCapError, PaymentRefusedError } from "../../server/chains/port.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;
const MORE_THAN_ALL_TRIES = 12;

let database: TestDatabase;
let swap: FaultySwap;
let alerts: string[];

beforeEach(async () => {
  database = await freshDatabase();
  alerts = [];
  const write = (line: string) => {
    const { msg, reason }: { msg: string; reason?: string } = JSON.parse(line);
    if (msg === "a payment needs review") alerts.push(reason ?? "");
  };
  swap = await FaultySwap.over(database, { log: createLog({ level: "error", destination: { write } }) });
  await swap.open();
  swap.pay();
});
afterEach(async () => {
  await swap.expectLawful();
  await database.drop();
});

const payout = async () =>
  database.kysely.selectFrom("payouts").select(["state", "review_reason", "failures", "last_error"]).executeTakeFirst();
const dueInSeconds = async (): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from next_attempt_at - now())::float8 as seconds from payouts`.execute(database.kysely);
  return rows[0]?.seconds ?? Number.NaN;
};
const settleOften = async (times: number) => {
  for (let turn = 0; turn < times; turn += 1) await swap.settle();
};

describe("a payment that can't be prepared", () => {
  it("is tried again after pauses that grow, and then waits in review with one alert", async () => {
    swap.chain.failing.set("destination", new Error("execution failed"));
    await swap.blocks(4);
    const pauses = [await dueInSeconds()];
    for (let turn = 0; turn < 3; turn += 1) {
      await swap.settle();
      pauses.push(await dueInSeconds());
    }
    for (const [at, pause] of pauses.entries()) expect(pause).toBeGreaterThan(at === 0 ? 1 : (pauses[at - 1] ?? 0));
    await settleOften(MORE_THAN_ALL_TRIES);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "failed_repeatedly" });
    expect((await payout())?.last_error).toContain("execution failed");
    expect(alerts).toEqual(["failed_repeatedly"]);
    expect(await database.kysely.selectFrom("payout_handles").select("id").execute()).toEqual([]);
  });

  it("for good is put in review at once", async () => {
    swap.chain.failing.set("destination", new PaymentRefusedError("destination_reverts", "execution reverted"));
    await swap.blocks(4);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "destination_reverts", failures: 0 });
    expect(alerts).toEqual(["destination_reverts"]);
  });

  it("is not blamed for fees above the caps of its network, and is paid once they have fallen", async () => {
    swap.chain.failing.set("destination", new FeesOverCapError("gas costs 600 gwei now"));
    await swap.blocks(4);
    await settleOften(MORE_THAN_ALL_TRIES);
    expect(await payout()).toMatchObject({ state: "intended", failures: 0 });
    expect(alerts).toEqual([]);
    swap.chain.failing.clear();
    await settleOften(2);
    expect(await payout()).toMatchObject({ state: "broadcast" });
  });

  it("is not blamed for a node that doesn't answer", async () => {
    await swap.blocks(2);
    swap.chain.hotBalance = async () => {
      throw new Error("the node does not answer");
    };
    await swap.blocks(1);
    await settleOften(MORE_THAN_ALL_TRIES);
    expect(await payout()).toMatchObject({ state: "intended", failures: 0 });
  });
});

describe("a payment that may cost more than its customer was charged", () => {
  const hourPasses = () =>
    database.kysely
      .updateTable("payouts")
      .set({ over_charge_since: sql<Date>`over_charge_since - interval '1 hour'` })
      .execute();

  it("waits for lower fees with pauses that grow, and is paid once they have fallen", async () => {
    const maxCost = swap.chain.maxCost.bind(swap.chain);
    swap.chain.maxCost = () => 10n ** 18n;
    await swap.blocks(4);
    expect(await dueInSeconds()).toBeGreaterThan(10);
    await database.kysely
      .updateTable("payouts")
      .set({ over_charge_since: sql<Date>`now() - interval '2 minutes'` })
      .execute();
    await settleOften(MORE_THAN_ALL_TRIES);
    expect(await payout()).toMatchObject({ state: "intended", failures: 0 });
    expect(await dueInSeconds()).toBeGreaterThan(100);
    expect(alerts).toEqual([]);
    swap.chain.maxCost = maxCost;
    await swap.blocks(6);
    expect(await payout()).toMatchObject({ state: "final" });
    expect(swap.paid()).toEqual([FULL]);
  });

  it("is put in review when they haven't fallen for an hour, is never signed, and reserves no nonce", async () => {
    swap.chain.maxCost = () => 10n ** 18n;
    await swap.blocks(4);
    await hourPasses();
    await swap.settle();
    expect(alerts).toEqual(["fee_over_charge"]);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "fee_over_charge" });
    expect(await database.kysely.selectFrom("payout_handles").select("id").execute()).toEqual([]);
    expect(await database.kysely.selectFrom("payout_attempts").select("n").execute()).toEqual([]);
  });
});

describe("a payment that waits for a block", () => {
  it("is looked up when a block comes, not every second", async () => {
    await swap.blocks(3);
    expect(await payout()).toMatchObject({ state: "broadcast" });
    await database.kysely
      .updateTable("payouts")
      .set({ next_attempt_at: new Date(0) })
      .execute();
    await swap.testEngine.settle();
    expect(await dueInSeconds()).toBeGreaterThan(30);
    swap.chain.mine();
    await swap.testEngine.settle();
    expect(await payout()).toMatchObject({ state: "mined" });
  });

  it("stays due when the block comes while it is looked up", async () => {
    await swap.blocks(3);
    const lookup = swap.chain.lookup.bind(swap.chain);
    swap.chain.lookup = async (txId) => {
      const found = await lookup(txId);
      await database.kysely.updateTable("payouts").set({ next_attempt_at: new Date() }).execute();
      swap.chain.lookup = lookup;
      return found;
    };
    await database.kysely
      .updateTable("payouts")
      .set({ next_attempt_at: new Date(0) })
      .execute();
    await swap.testEngine.engine.runPayouts("ETH");
    expect(await dueInSeconds()).toBeLessThanOrEqual(0);
  });
});

describe("a payment that its node refuses again and again", () => {
  it("waits in review with its handle, and goes on by itself when the chain shows it after all", async () => {
    // As where nothing waits behind it: its inputs stay reserved.
    Object.defineProperty(swap.chain, "prepareCancellation", { value: undefined });
    swap.chain.refuses = true;
    await swap.blocks(4);
    await settleOften(MORE_THAN_ALL_TRIES);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "broadcast_refused" });
    expect(alerts).toEqual(["broadcast_refused"]);
    swap.chain.refuses = false;
    const attempt = await database.kysely
      .selectFrom("payout_attempts")
      .select(["raw", "tx_id"])
      .executeTakeFirstOrThrow();
    await swap.chain.broadcast({ raw: attempt.raw, txId: attempt.tx_id });
    await swap.blocks(5);
    expect(await payout()).toMatchObject({ state: "final", review_reason: null });
    expect(swap.paid()).toEqual([FULL]);
  });
});
