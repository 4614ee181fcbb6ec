import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import type { DepositAddress, NetworkReader } from "../../chains/port.ts";
import { createDepositAddresses } from "./deposit-addresses.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

/** Networks whose addresses tell their network and index. */
function networkOf(networkTitle: string, addressSpace?: string): NetworkReader {
  const chain: NetworkReader = new FakeChain();
  const depositAddress = (index: bigint): DepositAddress => ({ address: `${networkTitle}-${index}`, memo: null });
  return Object.assign(Object.create(chain), {
    networkTitle,
    depositAddress,
    ...(addressSpace !== undefined && { addressSpace }),
  });
}

it("orders of another network use up no index of a network", async () => {
  const addresses = createDepositAddresses(database, database.log);
  const [bitcoin, monero] = [networkOf("BTC"), networkOf("XMR")];
  const taken = new Set<bigint>();
  for (let made = 0; made < 120; made += 1) taken.add((await addresses.take(bitcoin)).index);
  expect(taken.size).toBe(120);
  expect(await addresses.take(monero)).toEqual({ index: 1n, address: { address: "XMR-1", memo: null } });
});

it("networks that derive the same addresses never issue one index twice", async () => {
  const [one, two] = [1, 2].map(() => createDepositAddresses(database, database.log));
  const networks = [networkOf("ETH", "evm"), networkOf("BSC", "evm")];
  const taken: bigint[] = [];
  for (let made = 0; made < 150; made += 1)
    for (const network of networks)
      for (const addresses of [one, two]) taken.push((await addresses?.take(network))?.index ?? -1n);
  expect(new Set(taken).size).toBe(600);
});

it("an address that no order got is the next one's", async () => {
  const addresses = createDepositAddresses(database, database.log);
  const bitcoin = networkOf("BTC");
  const refused = await addresses.take(bitcoin);
  addresses.release(bitcoin, refused);
  expect(await addresses.take(bitcoin)).toEqual(refused);
});

it("an address that was made ahead needs no wallet", async () => {
  const addresses = createDepositAddresses(database, database.log);
  const monero = networkOf("XMR");
  await addresses.prepare(monero);
  monero.depositAddress = () => new Promise(() => undefined);
  expect(await addresses.take(monero)).toMatchObject({ index: 1n });
});
