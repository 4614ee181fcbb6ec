import { expect, it } from "vitest";
import type { Database } from "../../server/db/database.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { reverseUndone } from "../../server/earnings/index.ts";
import { addCredits } from "../../server/earnings/wallet.ts";
import { freshDatabase } from "../support/database/database.ts";
import { violations } from "../support/checkers/checkers.ts";
import { CrashPoints } from "../support/scenarios/crash-points.ts";
import { runProcess, timePasses } from "../support/scenarios/dying-process.ts";
import { ADDRESS, EarningsScenario, USDT, USDT_TRC20 } from "../support/scenarios/earnings-scenario.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

/** A scenario has at least these points; fewer would mean that a call or a transaction was not counted. */
const MIN_POINTS = { completion: 10, withdrawal: 25, outstanding: 4 };
const CONFIRMATIONS = 3;
const MAX_BLOCKS = 12;
const ACCRUAL = 2_250_000n;
const CASHBACK = 375_000n;
const WALLET = 50_000_000n;

type Life = (points: CrashPoints) => Promise<string | null>;

/** One life for each point, and every one dies at its own. */
async function dieEverywhere(live: Life, min: number, name: string): Promise<number> {
  // The first one also creates the ledger's accounts.
  await live(new CrashPoints(0));
  const points = new CrashPoints(0);
  await live(points);
  process.stdout.write(`crash points of ${name}: N = ${points.count}\n`);
  expect(points.count).toBeGreaterThanOrEqual(min);
  const unhurt: number[] = [];
  for (let crashAt = 1; crashAt <= points.count; crashAt += 1)
    if ((await live(new CrashPoints(crashAt))) === null) unhurt.push(crashAt);
  expect(unhurt).toEqual([]);
  return points.count + 2;
}

const brokenLaws = async (scenario: EarningsScenario) => {
  const { chain } = scenario;
  const isDeep = async (txId: string, confirmations: number) => {
    const found = await chain.lookup(txId);
    return found.kind === "mined" && chain.tip.height - found.height + 1 >= confirmations;
  };
  const rows = await scenario.database.kysely.selectFrom("orders").select(["id", "snapshot"]).execute();
  const addresses = new Map(
    rows.map(({ id, snapshot }) => [id, String(Object(snapshot["terms"]).destination.address)]),
  );
  const delivered = async (id: string) => chain.received(addresses.get(id) ?? "", "usdt-erc20");
  return violations(scenario.database, { delivered, isDeep }, CONFIRMATIONS);
};

it("an order earns once, wherever the process dies that completes it", async () => {
  await using database = await freshDatabase();
  const scenario = new EarningsScenario(database);
  const ann = await scenario.user();
  const earners: bigint[] = [];
  const stateOf = async (id: string) =>
    (await database.kysely.selectFrom("orders").select("state").where("id", "=", id).executeTakeFirst())?.state;
  const live: Life = async (points) => {
    const bob = await scenario.user(ann);
    earners.push(bob);
    const calm = await scenario.engine();
    await calm.settle();
    const id = await scenario.paidOrder(calm, { userId: bob, destinationAddress: `bob-${bob}` });
    for (let block = 0; block < MAX_BLOCKS && (await stateOf(id)) !== "paying"; block += 1)
      await scenario.blocks(calm, 1);
    const complete = async (inside: Database, dying: CrashPoints | null) => {
      const engine = await scenario.engine(inside, dying);
      scenario.chain.mine();
      for (let turn = 0; turn < MAX_BLOCKS && (await stateOf(id)) !== "completed"; turn += 1) {
        await timePasses(database);
        await engine.settle();
      }
    };
    const died = await runProcess(database, points, (inside) => complete(inside, points));
    if (died !== null) await runProcess(database, null, (inside) => complete(inside, null));
    expect(await stateOf(id)).toBe("completed");
    return died;
  };
  const lives = await dieEverywhere(live, MIN_POINTS.completion, "a completion that earns");
  expect(await scenario.balanceOf(ann)).toBe(BigInt(lives) * ACCRUAL);
  for (const bob of earners) expect(await scenario.balanceOf(bob)).toBe(CASHBACK);
  expect(await brokenLaws(scenario)).toEqual([]);
});

it("a withdrawal is paid once, wherever its process dies", async () => {
  await using database = await freshDatabase();
  const scenario = new EarningsScenario(database);
  const addresses: string[] = [];
  const live: Life = async (points) => {
    const ann = await scenario.user();
    await scenario.credit(ann, WALLET);
    const address = `T${String(addresses.length).padStart(33, "0")}`;
    addresses.push(address);
    const call = { userId: ann, clientKey: address, seed: `call ${address}`, isFirst: false };
    const isSettled = async () => {
      const rows = database.kysely.selectFrom("withdrawals").select("state").where("user_id", "=", ann);
      return (await rows.executeTakeFirst())?.state === "settled";
    };
    const withdraw = async (inside: Database, dying: CrashPoints | null) => {
      const earnings = await scenario.earnings(inside, dying?.probe);
      await earnings.withdraw(call, { ...USDT_TRC20, address, amount: "20" });
      const engine = await scenario.engine(inside, dying);
      for (let block = 0; block < MAX_BLOCKS && !(await isSettled()); block += 1) {
        scenario.tron.mine();
        await timePasses(database);
        await engine.settle();
      }
    };
    const died = await runProcess(database, points, (inside) => withdraw(inside, points));
    if (died !== null) await runProcess(database, null, (inside) => withdraw(inside, null));
    expect(await isSettled()).toBe(true);
    // Final, so that it adds no points to the next life.
    const calm = await scenario.engine();
    for (let block = 0; block <= CONFIRMATIONS; block += 1) await scenario.blocks(calm, 1);
    expect(await scenario.balanceOf(ann)).toBe(WALLET - 20_000_000n);
    return died;
  };
  await dieEverywhere(live, MIN_POINTS.withdrawal, "a withdrawal");
  for (const address of addresses) expect(scenario.received(address)).toEqual([19_000_000n]);
  expect(await brokenLaws(scenario)).toEqual([]);
});

it("what debits have still to take is taken once, wherever the process dies that takes it", async () => {
  await using database = await freshDatabase();
  const scenario = new EarningsScenario(database);
  const outstandingOf = async (userId: bigint) => {
    const debits = database.kysely.selectFrom("wallet_credits").select("outstanding").where("user_id", "=", userId);
    return (await debits.where("amount", "<", 0n).orderBy("id").execute()).map(({ outstanding }) => outstanding);
  };
  const live: Life = async (points) => {
    const ann = await scenario.user();
    const debit = (amount: bigint) => ({
      userId: ann,
      source: "ADJUSTMENT" as const,
      slug: USDT,
      amount: -amount,
      outstanding: amount,
      review: null,
      order: null,
    });
    await inTransaction(database, (transaction) =>
      addCredits(transaction, [debit(20_000_000n), debit(15_000_000n)], scenario.now),
    );
    await scenario.credit(ann, 30_000_000n);
    // By a worker, as far as the wallet has it; by a withdrawal the rest, which comes first there.
    const take = (inside: Database, dying: CrashPoints | null) =>
      reverseUndone({
        database: inside,
        clock: { now: () => scenario.now },
        log: inside.log,
        ...(dying && { probe: dying.probe }),
      });
    const withdraw = async (inside: Database, dying: CrashPoints | null) => {
      const earnings = await scenario.earnings(inside, dying?.probe);
      const call = { userId: ann, clientKey: `${ann}`, seed: `call ${ann}`, isFirst: false };
      await earnings.withdraw(call, { ...USDT_TRC20, address: ADDRESS, amount: "10" });
    };
    const inWorker = await runProcess(database, points, (inside) => take(inside, points));
    if (inWorker !== null) await runProcess(database, null, (inside) => take(inside, null));
    expect([await scenario.balanceOf(ann), await outstandingOf(ann)]).toEqual([0n, [0n, 5_000_000n]]);
    await scenario.credit(ann, 20_000_000n);
    const dying = inWorker === null ? points : null;
    const inWithdrawal = await runProcess(database, dying, (inside) => withdraw(inside, dying));
    if (inWithdrawal !== null) await runProcess(database, null, (inside) => withdraw(inside, null));
    expect([await scenario.balanceOf(ann), await outstandingOf(ann)]).toEqual([5_000_000n, [0n, 0n]]);
    return inWorker ?? inWithdrawal;
  };
  await dieEverywhere(live, MIN_POINTS.outstanding, "what debits have still to take");
  expect(await brokenLaws(scenario)).toEqual([]);
});
