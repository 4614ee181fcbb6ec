import { describe, expect, it } from "vitest";
import catalogue from "../../catalogue/catalogue.json" with { type: "json" };
import { createPriceGuard } from "./guard.ts";
import { createSandboxMarket } from "./sandbox.ts";
import starting from "./sandbox-prices.json" with { type: "json" };

const START = Date.UTC(2026, 10, 21);
const MINUTE = 60_000;

const pricesAt = async (ms: number) => createSandboxMarket(() => ms).read();
const priceAt = async (slug: string, ms: number): Promise<bigint> => (await pricesAt(ms)).get(slug)?.usd ?? 0n;

describe("the sandbox's market", () => {
  it("prices every instrument of the catalogue", async () => {
    const prices = await pricesAt(START);
    const unpriced = catalogue.instruments.filter(({ slug }) => !prices.has(slug));
    expect(unpriced).toEqual([]);
  });

  it("gives the same price for the same moment", async () => {
    expect(await priceAt("eth", START)).toBe(await priceAt("eth", START));
  });

  it.each(Object.keys(starting))(
    "moves %s by less than 0.1 % a minute and stays within 0.5 % of its start",
    async (slug) => {
      const start = await priceAt(slug, START);
      let previous = start;
      for (let minute = 1; minute <= 600; minute += 1) {
        const price = await priceAt(slug, START + minute * MINUTE);
        const moved = price > previous ? price - previous : previous - price;
        expect(moved * 1000n, `minute ${minute}`).toBeLessThan(previous);
        const away = price > start ? price - start : start - price;
        expect(away * 100n).toBeLessThanOrEqual(start);
        previous = price;
      }
    },
  );

  it("does move: each snapshot has another price of ether", async () => {
    const seen = new Set<bigint>();
    for (let tick = 0; tick < 20; tick += 1) seen.add(await priceAt("eth", START + tick * 3_000));
    expect(seen.size).toBeGreaterThan(15);
  });

  it("moves a coin alike on all its networks, and no two coins alike", async () => {
    const at = START + 12_345_678;
    expect(await priceAt("usdt-erc20", at)).toBe(await priceAt("usdt-trc20", at));
    const relative = async (slug: keyof typeof starting) =>
      Number(await priceAt(slug, at)) / Number(starting[slug].usd);
    expect(await relative("eth")).not.toBe(await relative("btc"));
  });

  it("is accepted by the guard", async () => {
    const guard = createPriceGuard();
    for (let tick = 0; tick < 200; tick += 1) {
      const at = START + tick * 3_000;
      const verdicts = [...(await pricesAt(at))].map(([slug, { usd }]) => guard.judge(slug, usd, at));
      expect(new Set(verdicts)).toEqual(new Set(["good"]));
    }
  });
});
