import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";

/** Four times the connections of the process: all of them together get one. */
const CALLS = 64;
const CONNECTIONS = 16;
const attacker = { key: "198.51.100.1", traceId: "a" };
const victim = { key: "203.0.113.1", traceId: "v" };
const fixed = orderBody({ rateMode: "FIXED", refundAddress: "refund" });

let database: TestDatabase;
let testEngine: TestEngine;
let own: string;
let others: string;
let owner: { userId: bigint; email: string };
beforeEach(async () => {
  database = await freshDatabase({ max: CONNECTIONS });
  const chain = new FakeChain();
  testEngine = await createTestEngine({
    database,
    reader: chain,
    wallet: chain,
    firstMails: { perRecipient: 5, perClient: 20 },
  });
  own = (await service().create(orderBody(), attacker)).orderId;
  others = (await service().create(orderBody(), victim)).orderId;
  const user = { telegram_id: null, email: "attacker@example.org" };
  const { id } = await database.kysely.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
  owner = { userId: id, email: user.email };
});
afterEach(() => database.drop());

const service = () => testEngine.engine.orderService;
const mailed = () => orderBody({ userEmail: "stranger@example.org" });

/** Somebody else is at work on what the calls are about. */
async function locked(by: pg.PoolClient, what: "order" | "client" | "recipient"): Promise<void> {
  await by.query("begin");
  if (what === "order") await by.query("select from orders where id = $1 for update", [own]);
  const names = { client: ["fixed_exposure_client", attacker.key], recipient: ["first_mail", "stranger@example.org"] };
  if (what !== "order") await by.query("select pg_advisory_xact_lock(hashtext($1), hashtext($2))", names[what]);
}

/** Connections that wait for what `by` has locked. */
async function waitFor(by: pg.PoolClient): Promise<number> {
  const blocked =
    "select count(*)::int from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))";
  const { rows } = await by.query<{ count: number }>(blocked);
  return rows[0]?.count ?? 0;
}
const inUse = () => database.pool.totalCount - database.pool.idleCount;
const victimsCalls = async () => {
  await service().refundInfo(others, "destination");
  await service().setEmail(others, "victim@example.org", "destination");
  await service().create(orderBody({ rateMode: "FIXED", refundAddress: "refund" }), victim);
};

describe("many of one client's calls that wait for one lock delay no other client", () => {
  it.each([
    ["its figures of a refund", "order", () => service().refundInfo(own, "destination")],
    ["its email", "order", () => service().setEmail(own, "stranger@example.org", undefined)],
    [
      "the acceptance of its offer",
      "order",
      () => service().acceptRateModeChange({ orderId: own, destinationAddress: "destination" }),
    ],
    ["fixed rates", "client", () => service().create(fixed, attacker)],
    ["mails to one recipient", "recipient", () => service().create(mailed(), attacker)],
  ] as const)("%s", async (_, lock, call) => {
    const by = await database.pool.connect();
    await locked(by, lock);
    let ended = 0;
    const calls = Array.from({ length: CALLS }, () =>
      call()
        .catch((error: unknown) => error)
        .finally(() => (ended += 1)),
    );
    try {
      await eventually("one of them waits for the lock, and the others for their turn", async () =>
        (await waitFor(by)) === 1 && inUse() === 2 ? true : null,
      );
      await victimsCalls();
      expect({ ended, waiting: await waitFor(by), queued: database.pool.waitingCount }).toEqual({
        ended: 0,
        waiting: 1,
        queued: 0,
      });
    } finally {
      await by.query("rollback");
      by.release();
      await Promise.all(calls);
    }
  });

  it("but would, if each of them waited at the database", async () => {
    const by = await database.pool.connect();
    await locked(by, "order");
    const read = { text: "select from orders where id = $1 for update", values: [own] };
    const calls = Array.from({ length: CALLS }, () => database.pool.query(read));
    let isServed = false;
    const served = victimsCalls().then(() => (isServed = true));
    try {
      await eventually("they have every connection, and the victim has none", async () =>
        (await waitFor(by)) > 0 && inUse() === CONNECTIONS && database.pool.waitingCount > CALLS - CONNECTIONS
          ? true
          : null,
      );
      expect(isServed).toBe(false);
    } finally {
      await by.query("rollback");
      by.release();
      await Promise.all([...calls, served]);
    }
    expect(isServed).toBe(true);
  });
});

it("many of one client's claims of orders take turns at the connections", async () => {
  let max = 0;
  database.pool.on("acquire", () => (max = Math.max(max, database.pool.totalCount - database.pool.idleCount)));
  const claim = () => service().claim(owner, [{ orderId: own, destinationAddress: "destination" }], attacker);
  expect(await Promise.all(Array.from({ length: CALLS }, claim))).toEqual(Array.from({ length: CALLS }, () => [own]));
  // The one before may be on its way back; without turns it is all of them.
  expect(max).toBeLessThanOrEqual(2);
});
