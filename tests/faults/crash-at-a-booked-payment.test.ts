import { afterEach, expect, it } from "vitest";
import { OperatorError } from "../../server/admin/index.ts";
import type { Database } from "../../server/db/database.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { violations } from "../support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";
import { liveThroughCrashes, type CrashPoints } from "../support/scenarios/crash-points.ts";
import { runProcess, timePasses } from "../support/scenarios/dying-process.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";
import { createTestEngine } from "../support/scenarios/test-engine.ts";

prepareStatements();

const FULL = 1_491_500_000n;
const CONFIRMATIONS = 3;
const MOST_BLOCKS = 40;
/** Every point with `SOAK=on`, else every third: what comes before and after is crashed in crash-at-every-point. */
const STEP = process.env["SOAK"] === "on" ? 1 : 3;
const PAIRS = 8;
const stop = { action: "pay", scope: "ETH", direction: "both", reason: "a test" } as const;

let begun: TestDatabase;
let swap: FaultySwap;
/** A transaction of the hot wallet that no row knows, and that pays just what the order's payment does. */
let txId: string;

const payIt = (): string =>
  swap.chain.spendOutside([{ outputIndex: -1, toAddress: "destination", slug: "usdt-erc20", amount: FULL }]);

/** What an operator may say before a worker has seen what it needs: refused until then. */
async function say(database: Database, text: string): Promise<void> {
  try {
    await runRecoveryCommand(database, swap.testEngine.catalogue, text.split(" "), correctPayment);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
  }
}

type Scenario = {
  begin(): Promise<void>;
  decide(database: Database): Promise<void>;
  attempts: string;
  /** The call whose result is stored. */
  call: string;
  minPoints: number;
};

const SCENARIOS: Record<string, Scenario> = {
  "looks for a booked payment that a reorganisation took, which is unbooked and made anew": {
    async begin() {
      await swap.testEngine.switches.stop(stop);
      await swap.blocks(3);
      txId = payIt();
      await swap.blocks(1);
      await say(begun, `unknown-payment book ETH ${txId} 1 it is --as ann`);
      await swap.testEngine.switches.release(stop);
      swap.chain.reorg(1);
    },
    async decide(database) {
      const { rows } = await database.pool.query<{ is_gone: boolean }>(
        "select stuck_reason is not distinct from 'booked_and_gone' as is_gone from payouts",
      );
      if (rows[0]?.is_gone === true) await say(database, `unknown-payment unbook ETH ${txId} gone --as ann`);
      else await say(database, `unknown-payment dismiss ETH ${txId} gone --as ann --pays-again --gone`);
    },
    attempts: "mined",
    call: "lookup",
    minPoints: 120,
  },
  "sees that an unknown payment has used the nonce of one that is signed, which is booked as it": {
    async begin() {
      await swap.blocks(3);
      expect(swap.chain.pending).toHaveLength(1);
      txId = payIt();
      swap.chain.mine();
    },
    decide: (database) => say(database, `unknown-payment book ETH ${txId} 1 it is --as ann`),
    attempts: "dead,mined",
    call: "usesHandle",
    minPoints: 48,
  },
};

afterEach(() => begun.drop());

async function liveThrough({ decide, attempts }: Scenario, crashes: readonly number[]) {
  await using database = await begun.copy({ max: 2 });
  const chain = new FakeChain().continueFrom(swap.chain);
  const paid = () => chain.received("destination", "usdt-erc20");
  const live = (points: CrashPoints) =>
    runProcess(database, points, async (own) => {
      const [reader, wallet] = [points.reader(chain), points.wallet(chain)];
      const { settle } = await createTestEngine({ database: own, reader, wallet, probe: points.probe });
      for (let block = 0; block < MOST_BLOCKS; block += 1) {
        await timePasses(database, { replacements: true });
        await settle();
        await decide(database);
        const payout = await database.kysely.selectFrom("payouts").select("state").executeTakeFirst();
        if (payout?.state === "final") return;
        chain.mine();
      }
      throw new Error("the payment did not end");
    });
  const { died, last } = await liveThroughCrashes(crashes, live);
  const isDeep = async (id: string, confirmations: number) => {
    const found = await chain.lookup(id);
    return found.kind === "mined" && chain.tip.height - found.height + 1 >= confirmations;
  };
  const broken = await violations(database, { delivered: async () => paid(), isDeep }, CONFIRMATIONS);
  if (String(paid()) !== String([FULL])) broken.push(`it paid ${paid().join()}`);
  const stored = await database.kysely.selectFrom("payout_attempts").select("status").orderBy("n").execute();
  if (stored.map(({ status }) => status).join() !== attempts) broken.push(JSON.stringify(stored));
  return { broken, died, points: last };
}

it.each(Object.entries(SCENARIOS))("a process that dies while it %s, pays once", async (name, scenario) => {
  begun = await freshDatabase();
  swap = await FaultySwap.over(begun);
  await swap.open();
  swap.pay();
  await scenario.begin();
  const { broken, points } = await liveThrough(scenario, []);
  process.stdout.write(`crash points of a worker that ${name}: N = ${points.count}\n`);
  expect(broken).toEqual([]);
  expect(points.names).toContain(`${scenario.call}, done but not returned`);
  expect(points.count).toBeGreaterThanOrEqual(scenario.minPoints);
  const failures: string[] = [];
  const tryAt = async (...crashes: number[]) => {
    const run = await liveThrough(scenario, crashes);
    if (run.died.length === 0) failures.push(`k = ${crashes.join()}: nothing died`);
    failures.push(...run.broken.map((what) => `k = ${crashes.join()} (${run.died.join()}): ${what}`));
  };
  for (let crashAt = 1; crashAt <= points.count; crashAt += STEP) await tryAt(crashAt);
  for (let pair = 0; pair < PAIRS; pair += 1)
    await tryAt(1 + ((pair * 7919) % points.count), 1 + ((pair * 104_729) % points.count));
  expect(failures).toEqual([]);
});
