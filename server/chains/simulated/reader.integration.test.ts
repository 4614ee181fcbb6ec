import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPaymentLink } from "#contract/links/payment-link.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { openSimulatedChain } from "./network.ts";
import { PROFILES } from "./profiles.ts";
import type { SimulatedReader } from "./reader.ts";

let database: TestDatabase;
const readers = new Map<string, { reader: SimulatedReader; hotAddress: string }>();

beforeAll(async () => {
  database = await freshDatabase();
  for (const [networkTitle, { coin }] of PROFILES) {
    const instruments = [
      { slug: coin, contractAddress: null, decimals: 6 },
      { slug: "token", contractAddress: "contract", decimals: 6 },
    ];
    const chain = await openSimulatedChain({ database, networkTitle, instruments, initialBalances: new Map() });
    readers.set(networkTitle, { reader: chain.reader(), hotAddress: chain.hotAddress });
  }
});
afterAll(() => database.drop());

const of = (networkTitle: string) => {
  const found = readers.get(networkTitle);
  if (found === undefined) throw new Error(networkTitle);
  return found;
};
const networks = [...PROFILES.keys()];
const withMemos = networks.filter((network) => PROFILES.get(network)?.hasMemos);

describe.each(networks)("%s", (network) => {
  it("has deposit addresses in its own format, unique for each order and stable", () => {
    const { reader } = of(network);
    const places = Array.from({ length: 40 }, (_, at) => reader.depositAddress(BigInt(at)));
    expect(new Set(places.map(({ address, memo }) => `${address} ${memo}`)).size).toBe(40);
    expect(places).toEqual(places.map((_, at) => reader.depositAddress(BigInt(at))));
    for (const { address, memo } of places) {
      if (memo === null) expect(reader.parseAddress(address)).toMatchObject({ valid: true, canonical: address });
      else expect(reader.parseMemo?.(memo)).toEqual({ valid: true, canonical: memo });
    }
  });

  it("refuses its own treasury as destination, and costs a fee in its own coin", async () => {
    const { reader, hotAddress } = of(network);
    expect(reader.parseAddress(hotAddress)).toEqual({ valid: false, code: "error_address_unpayable" });
    const { coin } = PROFILES.get(network) ?? { coin: "" };
    expect(reader.feeSlug).toBe(coin);
    expect(await reader.estimateFee(coin)).toBeGreaterThan(0n);
    await expect(reader.estimateFee("nothing")).rejects.toThrow("is not an instrument");
  });

  it("has a complete deposit URI", () => {
    const { reader } = of(network);
    const { coin } = PROFILES.get(network) ?? { coin: "" };
    const { address, memo } = reader.depositAddress(7n);
    const read = readPaymentLink(reader.depositUri(address, memo, coin, 1_500_000n));
    if (read?.kind !== "payment") throw new Error(`${network}'s own link is not read`);
    expect(read).toMatchObject({ networkTitle: network, memo, amount: "1.5", ignored: [] });
    expect([read.address, `bitcoincash:${read.address}`]).toContain(address);
  });
});

describe.each(withMemos)("%s, where one address serves many orders,", (network) => {
  it("has memos that don't count up", () => {
    const { reader } = of(network);
    const memos = Array.from({ length: 200 }, (_, at) => Number(reader.depositAddress(BigInt(at)).memo));
    const steps = new Set(memos.slice(1).map((memo, at) => (memo - (memos[at] ?? 0) + 2 ** 32) % 2 ** 32));
    expect(steps.size).toBe(199);
  });

  it("has one address, which is refused as destination", () => {
    const { reader } = of(network);
    const { address } = reader.depositAddress(1n);
    expect(reader.depositAddress(2n).address).toBe(address);
    expect(reader.parseAddress(address)).toEqual({ valid: false, code: "error_address_unpayable" });
  });
});
