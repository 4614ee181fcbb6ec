import { afterAll, beforeAll, expect, it } from "vitest";
import { markRestored } from "../../server/db/backup/restored.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { violations } from "../support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { liveThroughCrashes, type CrashPoints } from "../support/scenarios/crash-points.ts";
import { runProcess, timePasses } from "../support/scenarios/dying-process.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";
import { createTestEngine } from "../support/scenarios/test-engine.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

const FULL = 1_491_500_000n;
const CONFIRMATIONS = 3;
const CONSOLIDATIONS = 2;
const MOST_BLOCKS = 40;
/** Fewer would mean that a call or a transaction was not counted. */
const MIN_POINTS = 150;
/** Every point with `SOAK=on`, else every third: what comes after the payments to ourselves is crashed in crash-at-every-point. */
const STEP = process.env["SOAK"] === "on" ? 1 : 3;
const PAIRS = 8;

let begun: TestDatabase;
let swap: FaultySwap;

/** An order is paid in when its database is restored. */
beforeAll(async () => {
  begun = await freshDatabase();
  swap = await FaultySwap.over(begun);
  swap.chain.consolidations = CONSOLIDATIONS;
  await swap.open();
  swap.pay();
  swap.chain.mine(1);
  await inTransaction(begun, markRestored);
});
afterAll(() => begun.drop());

async function liveThrough(crashes: readonly number[]) {
  await using database = await begun.copy({ max: 2 });
  const chain = new FakeChain().continueFrom(swap.chain);
  const paid = () => chain.received("destination", "usdt-erc20");
  const live = (points: CrashPoints) =>
    runProcess(database, points, async (own) => {
      const [reader, wallet] = [points.reader(chain), points.wallet(chain)];
      const { settle } = await createTestEngine({ database: own, reader, wallet, probe: points.probe });
      for (let block = 0; block < MOST_BLOCKS; block += 1) {
        await timePasses(database);
        await settle();
        const payout = database.kysely.selectFrom("payouts").select("state").where("purpose", "=", "payout");
        if ((await payout.executeTakeFirst())?.state === "final") return;
        chain.mine();
      }
      throw new Error("the payment did not end");
    });
  const { died, last } = await liveThroughCrashes(crashes, live);
  const isDeep = async (txId: string, confirmations: number) => {
    const found = await chain.lookup(txId);
    return found.kind === "mined" && chain.tip.height - found.height + 1 >= confirmations;
  };
  const broken = await violations(database, { delivered: async () => paid(), isDeep }, CONFIRMATIONS);
  if (String(paid()) !== String([FULL])) broken.push(`it paid ${paid().join()}`);
  // Each is one transaction, whose fee is booked once, and before them nothing was paid.
  const moved = chain.received("hot", "eth").length;
  if (moved !== CONSOLIDATIONS) broken.push(`${moved} payments to ourselves are in blocks`);
  const { rows } = await database.pool.query<{ text: string }>(`
    select concat_ws(' ', 'payment', p.id, p.state, 'with', count(t.id), 'fees') as text
    from payouts p left join ledger_transfers t on t.kind = 'network_fee' and split_part(t.source_id, ' ', 1) = p.id::text
    where p.purpose = 'consolidation' group by p.id having p.state <> 'final' or count(t.id) <> 1`);
  broken.push(...rows.map(({ text }) => text));
  const unknown = await database.kysely.selectFrom("unknown_payments").select("tx_id").execute();
  if (unknown.length > 0) broken.push(`${unknown.length} payments are unknown`);
  return { broken, died, points: last };
}

it("a process that dies in a payment to ourselves pays once, whichever point it is, and when it dies twice", async () => {
  const { broken, points } = await liveThrough([]);
  process.stdout.write(`crash points of payments to ourselves after a restore: N = ${points.count}\n`);
  expect(broken).toEqual([]);
  expect(points.count).toBeGreaterThanOrEqual(MIN_POINTS);
  expect(points.names).toContain("chooseConsolidation, done but not returned");
  const failures: string[] = [];
  const tryAt = async (...crashes: number[]) => {
    const run = await liveThrough(crashes);
    if (run.died.length === 0) failures.push(`k = ${crashes.join()}: nothing died`);
    failures.push(...run.broken.map((what) => `k = ${crashes.join()} (${run.died.join()}): ${what}`));
  };
  for (let crashAt = 1; crashAt <= points.count; crashAt += STEP) await tryAt(crashAt);
  for (let pair = 0; pair < PAIRS; pair += 1)
    await tryAt(1 + ((pair * 7919) % points.count), 1 + ((pair * 104_729) % points.count));
  expect(failures).toEqual([]);
});
