import { describe, expect, it } from "vitest";
import { loadCatalogue } from "../../catalogue/index.ts";
import { createLog } from "../../base/logging/log.ts";
import { createNetworkFees } from "./network-fees.ts";

const catalogue = await loadCatalogue();
const log = createLog({ level: "silent" });
const TIMEOUT_MS = 200;

function setup(estimateFee: (slug: string) => Promise<bigint>) {
  const time = { ms: 0 };
  const fees = createNetworkFees({
    instruments: catalogue.instruments.values(),
    networks: new Map([["ETH", { estimateFee }]]),
    log,
    timeoutMs: TIMEOUT_MS,
    now: () => time.ms,
  });
  return { fees, time };
}

describe("network fees", () => {
  it("are requested for every active instrument of an open network, every 15 s", async () => {
    const asked: string[] = [];
    const { fees, time } = setup(async (slug) => BigInt(asked.push(slug)));
    expect([...(await fees.take()).keys()]).toEqual(["ETH:eth", "ETH:usdt-erc20", "ETH:usdc-erc20", "ETH:dai-erc20"]);
    time.ms = 14_999;
    await fees.take();
    expect(asked).toHaveLength(4);
    time.ms = 15_000;
    await fees.take();
    expect(asked).toHaveLength(8);
  });

  it("of a network that hangs delay a snapshot for a moment only, and are requested once", async () => {
    let asked = 0;
    const { fees } = setup(() => {
      asked += 1;
      return new Promise<bigint>(() => undefined);
    });
    expect((await fees.take()).size).toBe(0);
    const before = performance.now();
    for (let take = 0; take < 10; take += 1) expect((await fees.take()).size).toBe(0);
    // Ten that wait would take ten times as long.
    expect(performance.now() - before).toBeLessThan(5 * TIMEOUT_MS);
    expect(asked).toBe(4);
  });

  it("stay for two minutes after the network stopped answering", async () => {
    let works = true;
    const { fees, time } = setup(async () => {
      if (!works) throw new Error("the node is down");
      return 7n;
    });
    await fees.take();
    works = false;
    time.ms = 120_000;
    expect((await fees.take()).get("ETH:eth")).toBe(7n);
    time.ms = 120_001;
    expect((await fees.take()).size).toBe(0);
    works = true;
    expect((await fees.take()).get("ETH:eth")).toBe(7n);
  });

  it("of a predecessor serve a new publisher for half a minute, while its networks have not answered it", async () => {
    let works = false;
    const { fees, time } = setup(async () => {
      if (!works) throw new Error("the node is slow");
      return 7n;
    });
    time.ms = 1_000_000;
    fees.remember(
      new Map([
        ["ETH:eth", 5n],
        ["BTC:btc", 6n],
      ]),
      3_000,
    );
    expect(await fees.take()).toEqual(new Map([["ETH:eth", 5n]]));
    time.ms += 27_000;
    expect((await fees.take()).get("ETH:eth")).toBe(5n);
    time.ms += 1;
    expect((await fees.take()).size).toBe(0);
    works = true;
    expect((await fees.take()).get("ETH:eth")).toBe(7n);
    fees.remember(new Map([["ETH:eth", 5n]]), 0);
    expect((await fees.take()).get("ETH:eth"), "its own are newer").toBe(7n);
  });
});
