import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLog } from "../../server/base/logging/log.ts";
import { restoreBackup, writeBackup } from "../../server/db/backup/backup.ts";
import type { Database } from "../../server/db/database.ts";
import { createReconciler } from "../../server/treasury/balances/reconciler.ts";
import { openBooks } from "../../server/treasury/ledger/ledger.ts";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { CountingChain } from "../support/chains/counting-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { liveThroughCrashes, type CrashPoints } from "../support/scenarios/crash-points.ts";
import { runProcess, timePasses } from "../support/scenarios/dying-process.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

const HALF_ETH = 5n * 10n ** 17n;
const SLUGS = ["eth", "usdt-erc20"];
const MOST_BLOCKS = 30;
/** Each life tries a sweep eight times: every point with `SOAK=on`, else every eighth. */
const STEP = process.env["SOAK"] === "on" ? 1 : 8;
const PAIRS = 6;

let restored: TestDatabase;
let chain: CountingChain;
let catalogue: TestEngine["catalogue"];

/** A sweep is made after the backup, which is then restored: its database plans it again, as its network doesn't show that it was made. */
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "wherry-write-off-"));
  chain = new CountingChain();
  chain.hidesMoves = true;
  chain.mine(2);
  await using database = await freshDatabase();
  restored = await freshDatabase({ empty: true });
  const before = await createTestEngine({ database, reader: chain, wallet: chain });
  ({ catalogue } = before);
  const blocks = async (count: number) => {
    for (let mined = 0; mined < count; mined += 1) {
      await timePasses(database);
      while (await before.engine.runSweeps("ETH"));
      chain.mine();
      await before.settle();
    }
  };
  await openBooks(database, chain, SLUGS, { now: () => new Date() });
  await before.settle();
  const { depositAddress } = await before.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
  chain.deposit(depositAddress, "eth", HALF_ETH);
  await blocks(12);
  await writeBackup(database, join(folder, "backup.gz"));
  await before.engine.planSweeps();
  await blocks(6);
  expect(chain.received("hot", "eth")).toHaveLength(1);
  await restoreBackup(restored, join(folder, "backup.gz"));
  await rm(folder, { recursive: true });
});
afterAll(() => restored.drop());

/** Two operators, whom no crash touches: one proposes to write off what is in review, the other confirms it. */
async function decide(database: Database): Promise<void> {
  const say = async (text: string) => {
    const words = text.split(" ");
    const parts = { database, catalogue, isRegtest: true };
    return (await runRecoveryCommand(database, catalogue, words)) ?? (await runHeldCommand(parts, words)) ?? "";
  };
  const held = database.kysely.selectFrom("payouts").select("id").where("purpose", "=", "sweep");
  const found = await held.where("state", "=", "review").executeTakeFirst();
  if (found === undefined) return;
  const proposal = /^proposal (\d+)/.exec(await say(`payout write-off ${found.id} swept before --as ann`))?.[1];
  await say(`freeze confirm ${proposal} looked it up --as bob`);
}

async function run(own: Database, chainOfLife: CountingChain, points: CrashPoints | null): Promise<void> {
  const [reader, wallet] = points
    ? [points.reader(chainOfLife), points.wallet(chainOfLife)]
    : [chainOfLife, chainOfLife];
  const parts = { database: own, reader, wallet, ...(points && { probe: points.probe }) };
  const { engine, settle, switches } = await createTestEngine(parts);
  const { reportShortage, endExplainedShortage } = switches;
  const reconciler = createReconciler({
    database: own,
    wallets: new Map([["ETH", wallet]]),
    readers: new Map([["ETH", reader]]),
    slugsOf: () => SLUGS,
    switches: { reportShortage, endExplainedShortage },
    clock: { now: () => new Date() },
    log: createLog({ level: "silent" }),
  });
  for (let block = 0; block < MOST_BLOCKS; block += 1) {
    await timePasses(own);
    await settle();
    await engine.planSweeps();
    while (await engine.runSweeps("ETH"));
    await decide(own);
    await reconciler.reconcile("ETH");
    if (await isOver(own, chainOfLife)) return;
    chainOfLife.mine();
  }
  throw new Error("the write-off did not end");
}

const books = async ({ kysely }: Database, name: string) =>
  (
    await kysely
      .selectFrom("ledger_accounts")
      .select("balance")
      .where("name", "=", name)
      .where("slug", "=", "eth")
      .executeTakeFirst()
  )?.balance ?? 0n;
const sweeps = async ({ kysely }: Database) =>
  (await kysely.selectFrom("sweeps").select("state").execute()).map(({ state }) => state).join();
const isOver = async (database: Database, own: CountingChain) =>
  (await sweeps(database)) === "done" && (await books(database, "hot")) === -(await own.hotBalance("eth"));

/** How a sweep ends that its blocks show, or do not; of the first its address keeps what its fee has left. */
type Case = {
  hidesMoves: boolean;
  left: bigint;
  proposals: number;
  /** Fewer would mean that a call or a transaction was not counted. */ minPoints: number;
};

async function liveThrough(crashes: readonly number[], { hidesMoves, left, proposals }: Case) {
  await using database = await restored.copy({ max: 2 });
  const ownChain = new CountingChain().continueFrom(chain);
  ownChain.hidesMoves = hidesMoves;
  const { died, last } = await liveThroughCrashes(crashes, (points) =>
    runProcess(database, points, (own) => run(own, ownChain, points)),
  );
  const broken: string[] = [];
  const [deposits, hot] = [await books(database, "deposits"), await books(database, "hot")];
  if (deposits !== -left) broken.push(`deposits has ${deposits}`);
  if (hot !== -(await ownChain.hotBalance("eth"))) broken.push(`the books have ${hot} in the hot wallet`);
  if (ownChain.received("hot", "eth").length !== 1) broken.push("it was swept again");
  if ((await sweeps(database)) !== "done") broken.push(`the sweeps are ${await sweeps(database)}`);
  const kinds = await database.kysely
    .selectFrom("operator_actions")
    .select("action")
    .where("action", "like", "%write-off%")
    .execute();
  if (kinds.length !== proposals) broken.push(`${kinds.length} proposals`);
  return { broken, died, points: last };
}

it.each([
  ["the write-off of a sweep", { hidesMoves: true, left: 0n, proposals: 1, minPoints: 100 }],
  ["a sweep that the chain shows and no row knows", { hidesMoves: false, left: 29n, proposals: 0, minPoints: 50 }],
])("a process that dies beside %s books it once, whichever point it is, and when it dies twice", async (name, how) => {
  const { broken, points } = await liveThrough([], how);
  process.stdout.write(`crash points of ${name}: N = ${points.count}\n`);
  expect(broken).toEqual([]);
  expect(points.count).toBeGreaterThanOrEqual(how.minPoints);
  const failures: string[] = [];
  const tryAt = async (...crashes: number[]) => {
    const life = await liveThrough(crashes, how);
    if (life.died.length === 0) failures.push(`k = ${crashes.join()}: nothing died`);
    failures.push(...life.broken.map((what) => `k = ${crashes.join()} (${life.died.join()}): ${what}`));
  };
  for (let crashAt = 1; crashAt <= points.count; crashAt += STEP) await tryAt(crashAt);
  for (let pair = 0; pair < PAIRS; pair += 1)
    await tryAt(1 + ((pair * 7919) % points.count), 1 + ((pair * 104_729) % points.count));
  expect(failures).toEqual([]);
});
