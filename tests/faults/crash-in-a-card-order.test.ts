import { afterAll, beforeAll, expect, it } from "vitest";
import type { CardDirection } from "#contract/card.ts";
import { decodeState } from "../../server/orders/decisions/order.ts";
import { CARD_STEPS, CardScenario } from "../support/card/card-scenario.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { inParallel } from "../support/parallel.ts";
import { type CrashPoints, liveThroughCrashes } from "../support/scenarios/crash-points.ts";
import { runProcess } from "../support/scenarios/dying-process.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

/** Fewer would mean that a call of the provider or a transaction was not counted. */
const MIN_POINTS = 20;
const PAIRS = 4;
/** Runs share nothing, so that several at once use what one leaves idle while it waits for the database. */
const CONCURRENCY = 3;

/** Every run has a copy. */
let empty: TestDatabase;
beforeAll(async () => {
  empty = await freshDatabase();
});
afterAll(() => empty.drop());

type Lived = { broken: string[]; died: string[]; names: string[] };

/** An order from its creation to its end; each process repeats what has no answer yet, as the customer and the provider do. */
async function liveThrough(direction: CardDirection, crashes: readonly number[]): Promise<Lived> {
  await using database = await empty.copy({ max: 3 });
  const scenario = await new CardScenario(database).start();
  const steps = CARD_STEPS[direction];
  let isFirst = true;
  let told = 0;
  const live = (points: CrashPoints): Promise<string | null> =>
    runProcess(database, points, async (own) => {
      const testEngine = await scenario.engine(points, own);
      const seed = { seed: "one call", isFirst };
      isFirst = false;
      const order = await scenario.create(testEngine, scenario.body(direction), seed);
      const transaction = scenario.transactionOf(order);
      for (; told < steps.length; told += 1) {
        Object.assign(transaction, steps[told]);
        await scenario.callBack(testEngine, transaction);
        await scenario.ask(testEngine);
      }
    });
  try {
    const { died, last } = await liveThroughCrashes(crashes, live);
    return { broken: await violations(scenario, direction), died, names: last.names };
  } finally {
    await scenario.stop();
  }
}

async function violations({ database, server }: CardScenario, direction: CardDirection): Promise<string[]> {
  const orders = await database.kysely.selectFrom("orders").select(["id", "state", "snapshot"]).execute();
  const kinds = await database.kysely.selectFrom("order_events").select("kind").orderBy("seq").execute();
  const rows = await database.kysely.selectFrom("card_orders").select(["phase"]).execute();
  const used = server.transactions.filter(({ status }) => status !== "new");
  // Coins that go to the address of a transaction whose answer was lost would be no order's.
  const shown = orders.map(({ snapshot }) => decodeState(snapshot).terms.deposit.address);
  const meant = used.map(({ id }) => (direction === "sell" ? `provider-${id}` : ""));
  return [
    ...(shown.join() === meant.join() ? [] : [`the customer reads ${shown.join()} instead of ${meant.join()}`]),
    ...(orders.length === 1 && orders[0]?.state === "completed" ? [] : [`orders: ${JSON.stringify(orders)}`]),
    ...(rows.length === 1 && rows[0]?.phase === "ended" ? [] : [`rows: ${JSON.stringify(rows)}`]),
    ...(used.length === 1 ? [] : [`${used.length} transactions were paid`]),
    ...(kinds.map(({ kind }) => kind).join(" ") === EVENTS
      ? []
      : [`events: ${kinds.map(({ kind }) => kind).join(" ")}`]),
  ];
}

const EVENTS = "CREATION_END DEPOSIT_REGISTERED INCOMING_FUNDS_DETECTED FUNDS_WITHDRAWAL_START WITHDRAWAL_COMPLETED";

it.each([
  ["purchase", "buy"],
  ["sale", "sell"],
] as const)(
  "ends a %s once, whichever point its process dies at, and when it dies twice",
  async (name, direction) => {
    const { broken, names } = await liveThrough(direction, []);
    process.stdout.write(`crash points of a ${name} by card: N = ${names.length}\n`);
    expect(broken).toEqual([]);
    expect(names.length).toBeGreaterThanOrEqual(MIN_POINTS);
    const total = names.length;
    const runs = [
      ...Array.from({ length: total }, (_, index) => [index + 1]),
      ...Array.from({ length: PAIRS }, (_, pair) => [1 + ((pair * 7919) % total), 1 + ((pair * 104_729) % total)]),
    ];
    const failures = await inParallel(runs, CONCURRENCY, async (crashes) => {
      const lived = await liveThrough(direction, crashes);
      const where = `k = ${crashes.join(", then ")} (${lived.died.join(", ")})`;
      return [...(lived.died.length === 0 ? ["nothing died"] : []), ...lived.broken].map((what) => `${where}: ${what}`);
    });
    expect(failures.flat()).toEqual([]);
  },
  300_000,
);
