import { describe, expect, it, vi } from "vitest";
import { loadHome } from "./load.ts";
import { fakeApi, instrument } from "./testing/fake-api.ts";

const catalogue = {
  instruments: [
    instrument("eth", "ETH", { price: "3000" }),
    instrument("usdt-erc20", "USDT"),
    instrument("dai-erc20", "DAI", { price: null }),
  ],
  pairs: [
    { from: "eth", to: ["usdt-erc20"] },
    { from: "dai-erc20", to: ["usdt-erc20"] },
  ],
};

const order = {
  instrumentFrom: "eth",
  instrumentTo: "usdt-erc20",
  amountFrom: "1",
  amountTo: "2990",
  completedAt: "2026-11-21T09:00:00Z",
};

const rate = {
  price: "2984",
  depositRules: { minAmount: "0.01", maxAmount: null },
  updatedAt: "2026-11-21T09:00:00Z",
};

describe("loadHome", () => {
  it("shows what there is", async () => {
    const asked: unknown[] = [];
    const parts = await loadHome(
      fakeApi({
        latestOrders: () => [order, { ...order, instrumentTo: "gone" }],
        stats: () => ({ ordersTotal: 2 }),
        prices: (input) => {
          expect(input).toEqual({ query: { symbols: "eth,dai" } });
          return [{ symbol: "eth", change24h: "1.24", change7d: null }];
        },
        rate: (input) => {
          asked.push(input);
          return rate;
        },
      }),
      catalogue,
    );
    expect(parts.latest).toHaveLength(1);
    expect(parts.changes).toEqual({ eth: { day: "1.24", week: null } });

    expect(parts.rates).toEqual([
      {
        from: expect.objectContaining({ slug: "eth" }),
        to: expect.objectContaining({ slug: "usdt-erc20" }),
        requestedAmount: "0.166666",
        rate: { price: "2984", min: "0.01", max: null, updatedAt: "2026-11-21T09:00:00Z" },
      },
    ]);
    expect(asked).toEqual([{ query: expect.objectContaining({ claimedDepositAmount: "0.166666" }) }]);
  });

  it("leaves out what can't be had", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    expect(await loadHome(fakeApi({}), catalogue)).toEqual({ latest: [], stats: null, rates: [], changes: {} });
    expect(warn).toHaveBeenCalled();
    warn.mockRestore();
  });

  it("does not hide a fault of its own", async () => {
    await expect(loadHome({ call: () => Promise.reject(new TypeError("a fault")) }, catalogue)).rejects.toThrow(
      "a fault",
    );
  });
});
