import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody } from "../../tests/support/scenarios/test-engine.ts";
import { logHash, setLogKey } from "../base/logging/log-hash.ts";
import { openLogKey } from "../db/stored-keys.ts";
import { runLogHashCommand } from "./log-hash-command.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

it("an order's lines in the log are found by its reference, with the key that all processes share", async () => {
  const chain = new FakeChain();
  const { engine } = await createTestEngine({ database, reader: chain, wallet: chain });
  const { orderId, reference } = await engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
  const key = await openLogKey(database);
  expect(await openLogKey(database)).toEqual(key);
  setLogKey(key);
  const hash = logHash(orderId);
  setLogKey(Buffer.alloc(32));
  expect(await runLogHashCommand(database, ["log-hash", reference])).toBe(hash);
  expect(await runLogHashCommand(database, ["log-hash", reference.toLowerCase().replace("-", "")])).toBe(hash);
  expect(await runLogHashCommand(database, ["log-hash", orderId])).toBe(hash);
  await expect(runLogHashCommand(database, ["log-hash", "7KQ4-0000"])).rejects.toThrow("There is no order 7KQ4-0000.");
  await expect(runLogHashCommand(database, ["log-hash"])).rejects.toThrow("npm run admin -- log-hash");
  expect(await runLogHashCommand(database, ["status"])).toBeNull();
});
