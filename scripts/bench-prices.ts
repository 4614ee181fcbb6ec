import { DAY_MS } from "#contract/durations.ts";
import type { Database } from "../server/db/database.ts";
import { startEmbeddedPostgres } from "../server/db/embedded/postgres.ts";
import { migrate } from "../server/db/migrate.ts";
import { createLog } from "../server/base/logging/log.ts";
import { type CatalogueInstrument, loadCatalogue } from "../server/catalogue/index.ts";
import { createPriceHistory } from "../server/prices/price-history.ts";
import { openPrices } from "../server/prices/index.ts";
import { PRICE_RANGES } from "#contract/price-range.ts";
import { openRecordedDatabase } from "./bench/engine/recorded-database.ts";
import { type Figure, isMissed } from "./bench/figure.ts";
import { runBench } from "./bench/run-bench.ts";
import { median } from "../server/base/median.ts";
import { quantile } from "./bench/statistics.ts";
import { temporaryFolder } from "./bench/temporary-folder.ts";

const COINS = 100;
const CALLS = 50;
const CALL_MS = 20;
/** A batch never holds up the writer of the next minute for longer. */
const BATCH_MS = 250;
const NOW = new Date("2026-11-21T12:00:30.000Z");

await runBench(async ({ resources, print }) => {
  const log = createLog({ level: "error" });
  const postgres = await startEmbeddedPostgres({ dataDir: temporaryFolder(resources), log, sync: false });
  resources.defer(() => postgres.stop());
  const { database } = openRecordedDatabase(resources, postgres.url);
  await migrate(database);
  const instruments = await coins();
  await fill(database, [...instruments.keys()]);
  const { rows } = await database.pool.query<{ count: number }>(
    "select (select count(*) from price_minutes)::int + (select count(*) from price_hours)::int + (select count(*) from price_days)::int as count",
  );
  console.log(`${(rows[0]?.count ?? 0).toLocaleString("en-US")} rows of ${COINS} coins`);

  const prices = openPrices({
    database,
    catalogue: { instruments },
    clock: { now: () => NOW },
    priceSnapshots: {
      newest: () => ({
        at: NOW,
        fees: new Map(),
        prices: new Map([...instruments.keys()].map((slug) => [slug, 10n ** 20n])),
      }),
    },
    isSandbox: false,
  });
  const calls = [await timed("all coins", () => prices.list())];
  for (const range of PRICE_RANGES)
    calls.push(await timed(`one coin over ${range}`, () => prices.history("coin50", range)));
  print(`the slowest of ${CALLS} calls, one after another`, calls);
  const pruning = await pruneBacklog(database);
  print("pruning a backlog of a week", pruning);
  return [...calls, ...pruning].some(isMissed) ? 1 : 0;
});

async function coins(): Promise<Map<string, CatalogueInstrument>> {
  const template = (await loadCatalogue({})).instruments.get("eth");
  if (template === undefined) throw new Error("the catalogue has no ether");
  const named = (n: number): CatalogueInstrument => ({ ...template, slug: `coin${n}`, currencyTitle: `COIN${n}` });
  return new Map(Array.from({ length: COINS }, (_, n) => [`coin${n}`, named(n)]));
}

/** Two years: minutes of 48 hours, hours of 90 days, days of all. */
async function fill(database: Database, symbols: readonly string[]): Promise<void> {
  for (const [table, step, count] of [
    ["price_minutes", "1 minute", 2 * 1_440],
    ["price_hours", "1 hour", 90 * 24],
    ["price_days", "1 day", 730],
  ] as const)
    await database.pool.query(
      `insert into ${table} select s, date_trunc('${step.split(" ")[1]}', $2::timestamptz) - n * interval '${step}',
         (1e20 * (1 + random() / 10))::numeric(78,0) from unnest($1::text[]) s, generate_series(0, ${count - 1}) n`,
      [symbols, NOW],
    );
  await database.pool.query("analyze price_minutes, price_hours, price_days");
}

async function timed(name: string, call: () => Promise<unknown>): Promise<Figure> {
  const times: number[] = [];
  await call();
  for (let made = 0; made < CALLS; made += 1) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  console.log(`${name}: median ${median(times).toFixed(2)} ms`);
  return { name, value: quantile(times, 1), unit: "ms", goal: { atMost: CALL_MS } };
}

/** What is a week too old at once, as after a worker that was away. */
async function pruneBacklog(database: Database): Promise<Figure[]> {
  const history = createPriceHistory(database);
  const later = new Date(NOW.getTime() + 7 * DAY_MS);
  const times: number[] = [];
  for (let isMore = true; isMore;) {
    const startedAt = performance.now();
    isMore = await history.prune(later);
    times.push(performance.now() - startedAt);
  }
  return [
    { name: "batches", value: times.length, unit: "" },
    { name: "the longest one", value: quantile(times, 1), unit: "ms", goal: { atMost: BATCH_MS } },
  ];
}
