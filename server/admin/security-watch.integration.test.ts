import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { createLog } from "../base/logging/log.ts";
import type { SecurityEvent } from "../base/logging/security-log.ts";
import { inTransaction } from "../db/transaction.ts";
import { recordAction } from "./audit.ts";
import { createSecurityWatch } from "./security-watch.ts";
import { createSwitches } from "../treasury/balances/switches.ts";
import { listHeld } from "../treasury/operator/held.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase({ max: 3 });
});
afterAll(() => database.drop());

const log = createLog({ level: "silent" });
const watch = () => {
  const events: SecurityEvent[] = [];
  const securityLog = { record: (event: SecurityEvent) => events.push(event) > 0 };
  const { turn } = createSecurityWatch({ database, securityLog, log, listHeld });
  return { events, turn, securityLog };
};
const ANN = { name: "ann", reason: "a check" };
const STOP = { action: "pay", scope: "ETH", direction: "both", reason: "a check" } as const;

it("a change by the admin CLI is written once, also by a process that starts later", async () => {
  await createSwitches(database).stop(STOP, ANN);
  const [first, second] = [watch(), watch()];
  await first.turn();
  await first.turn();
  await second.turn();

  const action = { event: "operator.action", operator: "ann", action: "stop", subject: "pay ETH both" };
  expect(first.events).toMatchObject([
    { ...action, reason: "a check", at: expect.any(String), id: expect.stringMatching(/^\d+$/) },
    { event: "hold.began", subject: "stop pay ETH both", reason: "a check" },
  ]);
  expect(second.events).toMatchObject([{ event: "hold.began" }]);
});

it("logs what has left review, and what the engine put there by itself", async () => {
  const { events, turn } = watch();
  await turn();
  events.length = 0;
  await createSwitches(database).release(STOP, ANN);
  await createSwitches(database).reportShortage("LTC", "ltc", 5n);
  await turn();

  expect(events).toMatchObject([
    { event: "operator.action", action: "release" },
    { event: "hold.began", subject: "stop pay LTC both", reason: "the hot wallet is short of ltc" },
    { event: "hold.ended", subject: "stop pay ETH both", reason: "a check" },
  ]);
});

it("a change that commits after a later one is not passed over", async () => {
  const { events, turn } = watch();
  const subjects = () => events.flatMap((event) => (event.event === "operator.action" ? [event.subject] : []));
  const action = (subject: string) => ({ action: "test", subject, before: {}, after: {} });
  await inTransaction(database, async (transaction) => {
    await recordAction(transaction, ANN, action("slow"));
    await inTransaction(database, (other) => recordAction(other, ANN, action("quick")));
    await turn();
    expect(subjects()).toEqual(["quick"]);
  });
  await turn();
  expect(subjects()).toEqual(["quick", "slow"]);
});

it("a line that can't be written is written by the next turn", async () => {
  await inTransaction(database, (transaction) =>
    recordAction(transaction, ANN, { action: "test", subject: "kept", before: {}, after: {} }),
  );
  const full = createSecurityWatch({ database, log, listHeld, securityLog: { record: () => false } });
  await expect(full.turn()).rejects.toThrow("can't be written");

  const { events, turn } = watch();
  await turn();
  expect(events).toContainEqual(expect.objectContaining({ event: "operator.action", subject: "kept" }));
});

it("the reason of a review is logged without the secret part of a node's address", async () => {
  const { events, turn } = watch();
  await createSwitches(database).stop({
    ...STOP,
    scope: "XMR",
    reason: "no answer from http://u:hunter2@node/hunter3",
  });
  await turn();
  expect(events).toContainEqual(expect.objectContaining({ event: "hold.began", subject: "stop pay XMR both" }));
  expect(JSON.stringify(events)).not.toContain("hunter");
});
