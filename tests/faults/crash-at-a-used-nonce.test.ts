import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db/database.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
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
const MOST_BLOCKS = 30;
/** Fewer would mean that a call or a transaction was not counted. */
const MIN_POINTS = 120;
/** Every point with `SOAK=on`, else every third: what comes before and after is crashed in crash-at-every-point. */
const STEP = process.env["SOAK"] === "on" ? 1 : 3;
const PAIRS = 8;

let begun: TestDatabase;
let swap: FaultySwap;
let foreign: string;

/** A payment is in the mempool when somebody else, with the wallet's keys, uses its nonce. */
beforeAll(async () => {
  begun = await freshDatabase();
  swap = await FaultySwap.over(begun);
  await swap.open();
  swap.pay();
  await swap.blocks(3);
  expect(swap.chain.pending).toHaveLength(1);
  foreign = swap.chain.spendOutside([{ outputIndex: -1, toAddress: "elsewhere", slug: "usdt-erc20", amount: 7n }]);
  swap.chain.mine();
});
afterAll(() => begun.drop());

/** An operator, whom no crash touches, says of the transaction what it was as soon as it is held against them. */
async function decide(database: Database): Promise<void> {
  const waiting = database.kysely.selectFrom("unknown_payments").select("tx_id").where("decision", "is", null);
  if ((await waiting.executeTakeFirst()) === undefined) return;
  const words = `unknown-payment dismiss ETH ${foreign} made by hand --as ann`.split(" ");
  await runRecoveryCommand(database, swap.testEngine.catalogue, words);
}

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
        await decide(database);
        const payout = await database.kysely.selectFrom("payouts").select("state").executeTakeFirst();
        if (payout?.state === "final") return;
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
  const attempts = await database.kysely.selectFrom("payout_attempts").select("status").orderBy("n").execute();
  if (attempts.map(({ status }) => status).join() !== "dead,mined") broken.push(JSON.stringify(attempts));
  return { broken, died, points: last };
}

it("a process that dies while a used nonce makes its payment dead pays once, whichever point it is, and when it dies twice", async () => {
  const { broken, points } = await liveThrough([]);
  process.stdout.write(`crash points of a payment whose nonce was used: N = ${points.count}\n`);
  expect(broken).toEqual([]);
  expect(points.count).toBeGreaterThanOrEqual(MIN_POINTS);
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
