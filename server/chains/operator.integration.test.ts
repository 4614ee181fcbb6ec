import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { runNetworkCommand } from "./operator.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const say = (...words: string[]) => runNetworkCommand(database, words);
const actions = () =>
  database.kysely.selectFrom("operator_actions").select(["operator", "reason", "action", "subject"]).execute();

it("the keys of a network are forgotten, with who and why", async () => {
  await expect(say("accept-keys", "ETH", "new", "vault", "--as", "ann")).rejects.toThrow("No keys of ETH are known");
  await database.pool.query("insert into network_identities values ('ETH', 'eip155:1', 'aa')");
  await say("accept-keys", "ETH", "new", "vault", "--as", "ann");
  expect(await database.kysely.selectFrom("network_identities").selectAll().execute()).toEqual([]);
  expect(await actions()).toEqual([{ operator: "ann", reason: "new vault", action: "accept keys", subject: "ETH" }]);
});

it("the keys of a network stay without a reason and a name, and what would be forgotten is said", async () => {
  await expect(say("accept-keys", "eth")).rejects.toThrow("No keys of ETH are known");
  await database.pool.query("insert into network_identities values ('ETH', 'eip155:1', 'aa')");
  await expect(say("accept-keys", "eth")).rejects.toThrow(/^Nothing is done yet\..+eip155:1.+aa/);
  expect(await database.kysely.selectFrom("network_identities").selectAll().execute()).toHaveLength(1);
  expect(await actions()).toEqual([]);
});

it("a network is named in any case", async () => {
  await database.pool.query("insert into network_identities values ('ETH', 'eip155:1', 'aa')");
  expect(await say("accept-keys", "eth", "new", "vault", "--as", "ann")).toContain("keys of ETH");
  expect(await actions()).toMatchObject([{ subject: "ETH" }]);
});

it("only a network that waits to be read is skipped", async () => {
  await database.pool.query("insert into followed_networks (network, first_height) values ('ETH', 7)");
  await expect(say("skip-reading", "ETH", "gone", "--as", "ann")).rejects.toThrow("no network that waits to be read");
  await database.pool.query("update followed_networks set unread_since = now()");
  await say("skip-reading", "ETH", "gone", "--as", "ann");
  expect(await actions()).toMatchObject([{ action: "skip reading", subject: "ETH" }]);
});

it("any other command is left to others", async () => {
  expect(await say("status")).toBeNull();
});
