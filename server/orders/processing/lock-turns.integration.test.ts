import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";

/** More than the process has connections, and a small part of what one client may send at once. */
const CALLS = 40;
const CONNECTIONS = 16;
const attacker = { key: "198.51.100.1", traceId: "a" };
const victim = { key: "203.0.113.1", traceId: "v" };
const fixed = orderBody({ rateMode: "FIXED", refundAddress: "refund" });

let database: TestDatabase;
let testEngine: TestEngine;
let own: string;
let others: string;
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

describe("hundreds of one client's calls that wait for one lock hold up no other client", () => {
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
    const calls = Array.from({ length: CALLS }, () => call().catch((error: unknown) => error));
    try {
      // None of these waits for the lock, so none waits for the attacker.
      await service().refundInfo(others, "destination");
      await service().setEmail(others, "victim@example.org", "destination");
      await service().create(orderBody({ rateMode: "FIXED", refundAddress: "refund" }), victim);
      expect(database.pool.waitingCount).toBe(0);
    } finally {
      await by.query("rollback");
      by.release();
      await Promise.all(calls);
    }
  });
});
