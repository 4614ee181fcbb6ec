import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { simulatedCatalogue } from "../../tests/support/chains/simulated-catalogue.ts";
import { CatalogueError } from "../catalogue/index.ts";
import { openSimulatedNetworks, type SandboxNetworksParts } from "./networks.ts";

let database: TestDatabase;
let paused: [string, boolean][];

beforeEach(async () => {
  database = await freshDatabase();
  paused = [];
});
afterEach(() => database.drop());

const usd = (whole: bigint) => ({ usd: whole * 10n ** 18n, takenAt: new Date(0) });
type SimulatedNetwork = Awaited<ReturnType<typeof openSimulatedNetworks>>[number];
const open = (changes: Partial<SandboxNetworksParts> = {}, served: ReadonlySet<string> = new Set(["ETH"])) =>
  openSimulatedNetworks(served, {
    database,
    catalogue: simulatedCatalogue(),
    isWorker: true,
    market: {
      read: async () =>
        new Map([
          ["btc", usd(100_000n)],
          ["xrp", usd(2n)],
        ]),
    },
    onPaused: (title, isPaused) => void paused.push([title, isPaused]),
    ...changes,
  });
const found = (networks: SimulatedNetwork[], title: string): SimulatedNetwork => {
  const one = networks.find(({ reader }) => reader.networkTitle === title);
  if (one === undefined) throw new Error(`${title} is not simulated`);
  return one;
};

describe("the networks that the sandbox simulates", () => {
  it("are those with an active instrument and no node", async () => {
    expect((await open()).map(({ reader }) => reader.networkTitle)).toEqual(["BTC", "XRP"]);
    const others = await open({}, new Set(["ETH", "BTC"]));
    expect(others.map(({ sandbox }) => sandbox.networkTitle)).toEqual(["XRP"]);
  });

  it("have two million dollars of each asset, credited once", async () => {
    for (let start = 0; start < 2; start += 1) {
      const networks = await open();
      expect(await found(networks, "BTC").wallet?.hotBalance("btc")).toBe(20n * 10n ** 8n);
      expect(await found(networks, "XRP").wallet?.hotBalance("xrp")).toBe(1_000_000n * 10n ** 6n);
    }
  });

  it("have no wallet without the worker role", async () => {
    const networks = await open({ isWorker: false });
    expect(networks.map(({ wallet }) => wallet)).toEqual([null, null]);
    expect(found(networks, "XRP").reader.depositAddress(1n)).toEqual(
      found(await open(), "XRP").reader.depositAddress(1n),
    );
  });

  it("report a pause, which is no outage, in every process", async () => {
    const here = found(await open(), "BTC");
    const there = found(await open(), "BTC");
    await here.sandbox.setPaused(true);
    const { height } = await here.reader.head();
    await there.reader.head();
    await there.reader.head();
    expect(paused.filter(([, isPaused]) => isPaused).length).toBeGreaterThanOrEqual(2);
    await here.sandbox.mine(2);
    expect(await there.sandbox.height()).toBe(height + 2);
    const before = await there.reader.head();
    await here.sandbox.reorg(1);
    expect((await there.reader.head()).hash).not.toBe(before.hash);
    await there.sandbox.setPaused(false);
    await here.reader.head();
    expect(paused.at(-1)).toEqual(["BTC", false]);
  });

  it("need their own coin and a price", async () => {
    const { instruments, ...catalogue } = simulatedCatalogue();
    const withToken = new Map(instruments);
    const token = withToken.get("usdt-trc20");
    if (token !== undefined) withToken.set("usdt-trc20", { ...token, isActive: true });
    await expect(open({ catalogue: { ...catalogue, instruments: withToken } })).rejects.toThrow(CatalogueError);
    await expect(open({ market: { read: async () => new Map() } })).rejects.toThrow("no price of btc");
  });
});
