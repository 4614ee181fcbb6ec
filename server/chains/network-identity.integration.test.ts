import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { checkNetworkIdentities } from "./network-identity.ts";
import type { NetworkReader } from "./port.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const reader = (chain: string, keys: string): NetworkReader =>
  Object.assign(new FakeChain(), {
    chain,
    depositAddress: (index: bigint) => ({ address: `${keys} ${index}`, memo: null }),
  });
const check = (chain: string, keys: string) => checkNetworkIdentities(database, [reader(chain, keys)]);

it("remembers a network's chain and keys, and takes the same again", async () => {
  await check("eip155:1", "ours");
  await check("eip155:1", "ours");
});

it("refuses the keys of another seed phrase until an operator takes them on", async () => {
  await check("eip155:1", "ours");
  await expect(check("eip155:1", "others")).rejects.toThrow("npm run admin -- accept-keys ETH <why> --as <name>");
  await database.kysely.deleteFrom("network_identities").execute();
  await check("eip155:1", "others");
  await expect(check("eip155:1", "ours")).rejects.toThrow("accept-keys");
});

it("refuses another chain", async () => {
  await check("eip155:1", "ours");
  await expect(check("eip155:11155111", "ours")).rejects.toThrow("belongs to eip155:1");
});

it("stores no key", async () => {
  await check("eip155:1", "a secret-looking address");
  expect(await database.kysely.selectFrom("network_identities").selectAll().execute()).toEqual([
    { network: "ETH", chain: "eip155:1", keys: expect.stringMatching(/^[0-9a-f]{16}$/) },
  ]);
});
