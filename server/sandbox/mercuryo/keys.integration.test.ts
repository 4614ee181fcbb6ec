import { expect, it, onTestFinished } from "vitest";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import { openSandboxProviderKeys } from "./keys.ts";

it("are the same in every process of a database, and others in another one", async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  onTestFinished(async () => void (await Promise.all([one.drop(), other.drop()])));
  const [first, second] = await Promise.all([openSandboxProviderKeys(one), openSandboxProviderKeys(one)]);
  expect(second).toEqual(first);
  expect(await openSandboxProviderKeys(one)).toEqual(first);
  const elsewhere = await openSandboxProviderKeys(other);
  expect([elsewhere.secret === first.secret, elsewhere.partnerToken === first.partnerToken]).toEqual([false, false]);
  expect(first.secret).toMatch(/^[0-9a-f]{64}$/);
});
