import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "../../server/base/logging/log.ts";
import { startEvmDevnet, type EvmDevnet } from "../../server/devnet/evm/devnet.ts";
import { loadOrCreateSandboxKeys, type EvmKeys } from "../../server/devnet/evm/keys.ts";
import { freePort } from "../../scripts/lib/free-port.ts";
import { CrashPoints, liveThroughCrashes } from "../support/scenarios/crash-points.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { SwapScenario } from "../support/scenarios/swap-scenario.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

/** A scenario has at least these points; fewer would mean that a call or a transaction was not counted. */
const MIN_POINTS = 60;
const MIN_REFUND_POINTS = 50;
const PAIRS = 20;
const NEVER = `0x${"00".repeat(32)}`;

let folder: string;
let keys: EvmKeys;
let devnet: EvmDevnet;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wherry-crash-"));
  keys = await loadOrCreateSandboxKeys(folder);
  const log = createLog({ level: "error" });
  devnet = await startEvmDevnet({ dataDir: folder, port: await freePort(), log, hotAddress: keys.hotAddress });
  await devnet.setPaused(true);
});
afterAll(async () => {
  await devnet.stop();
  await rm(folder, { recursive: true, force: true });
});

type Begun = { database: TestDatabase; scenario: SwapScenario };

/** What comes before the first crash, once: every scenario goes on from it in a copy of the database and on the chain as it was. */
async function begunBy(begin: (scenario: SwapScenario) => Promise<void>): Promise<Begun> {
  const database = await freshDatabase();
  const scenario = new SwapScenario({ devnet, ...keys }, database);
  await begin(scenario);
  return { database, scenario };
}

/** Runs one swap whose first processes die at the given points; returns the violations and how many points the last one had. */
async function liveThrough(
  begun: Begun,
  crashes: readonly number[],
): Promise<{ broken: string[]; died: string[]; points: number }> {
  await using database = await begun.database.copy({ max: 2 });
  const scenario = await begun.scenario.continueIn(database);
  const { died, last } = await liveThroughCrashes(crashes, (points) => scenario.live(points));
  return { broken: await scenario.violations(), died, points: last.count };
}

describe("a process that dies at any point of a swap", () => {
  let begun: Begun;
  let total = 0;

  beforeAll(async () => {
    begun = await begunBy((scenario) => scenario.begin());
    const { broken, points } = await liveThrough(begun, []);
    total = points;
    process.stdout.write(`crash points of a swap: N = ${total}\n`);
    expect(broken).toEqual([]);
  });
  afterAll(() => begun.database.drop());

  it("counts every call and every commit", () => {
    expect(total).toBeGreaterThanOrEqual(MIN_POINTS);
  });

  it("pays once, whichever point it is", async () => {
    const failures: string[] = [];
    for (let crashAt = 1; crashAt <= total; crashAt += 1) {
      const { broken, died } = await liveThrough(begun, [crashAt]);
      if (died.length !== 1) failures.push(`k = ${crashAt}: nothing died`);
      failures.push(...broken.map((what) => `k = ${crashAt} (${died.join()}): ${what}`));
    }
    expect(failures).toEqual([]);
  });

  it("pays once when it dies twice", async () => {
    const failures: string[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const first = 1 + ((pair * 7919) % total);
      const second = 1 + ((pair * 104_729) % Math.max(1, total - first));
      const { broken, died } = await liveThrough(begun, [first, second]);
      failures.push(...broken.map((what) => `k = ${first}, then ${second} (${died.join(", ")}): ${what}`));
    }
    expect(failures).toEqual([]);
  });

  it("would be noticed if it paid twice or credited too early", async () => {
    await using database = await begun.database.copy({ max: 2 });
    const scenario = await begun.scenario.continueIn(database);
    await scenario.live(new CrashPoints(0));
    expect(await scenario.violations()).toEqual([]);
    await scenario.payTwice();
    expect(await scenario.violations()).toEqual([
      expect.stringContaining("was paid"),
      expect.stringContaining("the destination holds"),
    ]);
    await database.kysely.updateTable("deposits").set({ tx_id: NEVER }).execute();
    expect(await scenario.violations()).toContain(`deposit ${NEVER} was credited without its depth`);
  });
});

describe("a process that dies at any point of a refund", () => {
  it("sends the deposit back once, and never pays out", async () => {
    const begun = await begunBy((scenario) => scenario.beginRefund());
    await using _ = begun.database;
    const { broken, points } = await liveThrough(begun, []);
    process.stdout.write(`crash points of a refund: N = ${points}\n`);
    expect(points).toBeGreaterThanOrEqual(MIN_REFUND_POINTS);
    const failures = [...broken];
    for (let crashAt = 1; crashAt <= points; crashAt += 1) {
      const scenario = await liveThrough(begun, [crashAt]);
      failures.push(...scenario.broken.map((what) => `k = ${crashAt} (${scenario.died.join()}): ${what}`));
    }
    expect(failures).toEqual([]);
  });
});
