import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { IN_PROGRESS } from "../../../server/db/orders-in-progress.ts";
import { checkPlans, describeQuery, type CheckedQuery } from "./plan-check.ts";
import { missRareStates, scansOf } from "./plan-samples.ts";
import { recurringWork } from "./recurring-work.ts";
import { openSizedDatabase, type SizedDatabase } from "./sized-database.ts";

// Every query runs twice, and a busy machine explains slowly.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const resources = new AsyncDisposableStack();
let small: SizedDatabase;
let large: SizedDatabase;
/** As the first test found them. */
let queries: CheckedQuery[];

beforeAll(async () => {
  const open = async (size: number): Promise<SizedDatabase> => {
    const database: TestDatabase = await freshDatabase({ empty: true });
    resources.defer(() => database.drop());
    return openSizedDatabase(resources, database.url, size);
  };
  [small, large] = await Promise.all([open(1_000), open(20_000)]);
});
afterAll(() => resources.disposeAsync());

const check = () =>
  checkPlans({ ...small, work: recurringWork(small.engine) }, { ...large, work: recurringWork(large.engine) });
const faulty = (queries: readonly CheckedQuery[]) =>
  queries.filter(({ faults }) => faults.length > 0).map(describeQuery);

it("no recurring query scans a table that grows, or reads more because more is finished", async () => {
  queries = await check();
  expect(faulty(queries)).toEqual([]);
  expect(queries.length).toBeGreaterThan(150);
});

const scans = (queries: readonly CheckedQuery[]) => scansOf({ small: small.database, large: large.database }, queries);

it("no recurring query scans a table that grows because the statistics have none of its rare rows", async () => {
  expect(await missRareStates(large.database)).toContain("orders");
  expect(queries.length).toBeGreaterThan(150);
  expect(await scans(queries)).toEqual([]);
});

it("a query for orders by the states that they are not in is noticed, though its index has them alone", async () => {
  const others = "state not in ('awaiting_deposit', 'expired', 'completed', 'refunded')";
  const states = `state in (${IN_PROGRESS.map((state) => `'${state}'`).join(", ")})`;
  await large.database.pool.query(`create index not_over on orders (state, created_at) where ${others}`);
  await large.database.pool.query("analyze orders");
  const asked = async (what: string) => {
    const run = () => large.database.pool.query(`select id from orders where ${what}`);
    const side = { ...large, work: [{ name: "asks", run }] };
    return checkPlans(side, side);
  };
  const [byThem, byOthers] = [await asked(states), await asked(others)];
  expect(await scans([...byThem, ...byOthers])).toEqual([]);
  await missRareStates(large.database);
  expect(await scans(byThem)).toEqual([]);
  expect(await scans(byOthers)).toEqual([expect.stringMatching(/scans orders$/)]);
});

it("a table whose index is gone is noticed", async () => {
  const lost = ["orders_due", "payouts_due", "deposits_open", "outbox_due", "idempotency_keys_age"];
  lost.push("ledger_accounts_of_us", "withdrawals_in_review", "wallet_credits_in_review");
  for (const { database } of [small, large]) await database.pool.query(`drop index ${lost.join(", ")}`);
  const faults = new Set((await check()).flatMap((query) => query.faults));
  const scanned = ["orders", "payouts", "deposits", "outbox", "idempotency_keys"];
  for (const table of [...scanned, "ledger_accounts", "withdrawals", "wallet_credits"])
    expect(faults).toContain(`scans ${table}`);
});

it("a query that reads by an index what grows is noticed", async () => {
  const counting = (sized: SizedDatabase) => {
    const run = () => sized.database.pool.query("select count(*) from orders where completed_at is not null");
    return { ...sized, work: [{ name: "counts", run }] };
  };
  const [query] = await checkPlans(counting(small), counting(large));
  expect(query?.faults).toEqual([expect.stringMatching(/^reads \d{4,} rows instead of/)]);
});

it("a table that doesn't grow may be read whole once, also with what the work has added, and not once for each row", async () => {
  const reading = (sized: SizedDatabase, queries: readonly string[]) => {
    const run = async () => {
      for (const query of queries) await sized.database.pool.query(query);
    };
    return { ...sized, work: [{ name: "reads", run }] };
  };
  const faultsOf = async (...queries: string[]) => {
    const read = (await checkPlans(reading(small, queries), reading(large, queries))).at(-1);
    return { rows: read?.large, faults: read?.faults };
  };
  for (const { database } of [small, large]) await database.pool.query("create table bounded (n int)");
  await large.database.pool.query("insert into bounded select generate_series(1, 280)");
  const whole = "select count(*) from bounded";
  expect(await faultsOf(whole)).toEqual({ rows: 280, faults: [] });
  expect(await faultsOf("insert into bounded values (0)", whole)).toEqual({ rows: 281, faults: [] });
  const forEach = "select count(*) from bounded a, lateral (select a.n + b.n from bounded b offset 0) c";
  expect((await faultsOf(forEach)).faults).toEqual([expect.stringMatching(/^reads \d{4,} rows instead of/)]);
});
