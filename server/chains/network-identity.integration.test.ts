import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { checkedWallet, checkNetworkIdentities } from "./network-identity.ts";
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
  await expect(check("eip155:1", "others")).rejects.toThrow("npm run admin -- accept-keys ETH REASON --as NAME");
  await database.kysely.deleteFrom("network_identities").execute();
  await check("eip155:1", "others");
  await expect(check("eip155:1", "ours")).rejects.toThrow("accept-keys");
});

it("refuses another chain", async () => {
  await check("eip155:1", "ours");
  await expect(check("eip155:11155111", "ours")).rejects.toThrow("belongs to eip155:1");
});

describe("a network whose keys are in a wallet of its own", () => {
  const wallet = (keys: string) => {
    const chain = Object.assign(new FakeChain(), {
      walletChain: "monero:mainnet",
      depositAddress: async (index: bigint) => {
        await chain.head();
        return { address: `${keys} ${index}`, memo: null };
      },
    });
    return { chain, reader: checkedWallet(database, chain) };
  };

  it("is compared once its wallet answers, which it need not do at the start", async () => {
    const { chain, reader } = wallet("ours");
    chain.isDown = true;
    await checkNetworkIdentities(database, [reader]);
    await expect(reader.head()).rejects.toThrow("does not answer");
    chain.isDown = false;
    expect(await reader.head()).toMatchObject({ height: 0 });
  });

  it("shows no block, and gives no address, over another wallet than before", async () => {
    expect(await wallet("ours").reader.blockAt(0)).toMatchObject({ height: 0 });
    const { reader } = wallet("others");
    for (const call of [() => reader.head(), () => reader.blockAt(0), () => reader.depositAddress(7n)])
      await expect(call()).rejects.toThrow("npm run admin -- accept-keys ETH");
    expect(await wallet("ours").reader.depositAddress(7n)).toEqual({ address: "ours 7", memo: null });
  });
});

it("stores no key", async () => {
  await check("eip155:1", "a secret-looking address");
  expect(await database.kysely.selectFrom("network_identities").selectAll().execute()).toEqual([
    { network: "ETH", chain: "eip155:1", keys: expect.stringMatching(/^[0-9a-f]{16}$/) },
  ]);
});
