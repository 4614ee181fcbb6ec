import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { deleteSetting, readOrMakeSetting, readSetting, storeSetting } from "./settings.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase({ max: 5 });
});
afterAll(() => database.drop());

it("a setting is stored, replaced and deleted", async () => {
  const { kysely } = database;
  expect(await readSetting(kysely, "mode")).toBeUndefined();
  await storeSetting(kysely, "mode", { reason: 'a "quoted" reason' });
  await storeSetting(kysely, "mode", { reason: "another" });
  expect(await readSetting(kysely, "mode")).toEqual({ reason: "another" });
  await deleteSetting(kysely, "mode");
  expect(await readSetting(kysely, "mode")).toBeUndefined();
});

it("processes that make one at once all get the same, and so does a later one", async () => {
  const made = await Promise.all(
    Array.from({ length: 5 }, (_, own) => readOrMakeSetting(database.kysely, "key", { own })),
  );
  expect(new Set(made.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await readOrMakeSetting(database.kysely, "key", { own: "late" })).toEqual(made[0]);
});
