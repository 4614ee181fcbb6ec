import { describe, expect, it, vi } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import type { Api } from "#contract/ssr.ts";
import { CallError } from "../../lib/call-error.ts";
import { loadHome } from "./load.ts";

const instrument = (slug: string, currencyTitle: string, price: string | null): Instrument => ({
  currencyTitle,
  networkTitle: "ETH",
  slug,
  bestChangeName: null,
  coinstatValue: null,
  price,
  currencyLogoLink: null,
  currencyFriendlyTitle: currencyTitle,
  networkFriendlyTitle: "Ethereum",
  instrumentType: "other",
  requiresMemo: false,
  precisionDecimals: 18,
  contractAddress: null,
  isPopular: true,
  explorerTx: null,
  explorerAddress: null,
  confirmations: 3,
});

const catalogue = {
  instruments: [
    instrument("eth", "ETH", "3000"),
    instrument("usdt-erc20", "USDT", "1"),
    instrument("dai-erc20", "DAI", null),
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

/** Answers each call as told; what is not told fails as a service that is not reached. */
function fakeApi(answers: Record<string, (input?: unknown) => unknown>): Api {
  const call = async (name: string, input?: unknown) => {
    const answer = answers[name];
    if (answer === undefined) throw new CallError({ kind: "network", message: "not reached" });
    return answer(input);
  };
  return { call } as Api;
}

describe("loadHome", () => {
  it("shows what there is", async () => {
    const rate = { price: "2984", depositRules: { minAmount: "0.01", maxAmount: null } };
    const asked: unknown[] = [];
    const parts = await loadHome(
      fakeApi({
        latestOrders: () => [order, { ...order, instrumentTo: "gone" }],
        stats: () => ({ ordersTotal: 2 }),
        rate: (input) => {
          asked.push(input);
          return rate;
        },
      }),
      catalogue,
    );
    expect(parts.latest).toHaveLength(1);
    expect(parts.rates).toEqual([
      expect.objectContaining({ price: "2984", pair: "eth-usdt-erc20", min: "0.01", max: null }),
    ]);
    expect(asked).toEqual([{ query: expect.objectContaining({ claimedDepositAmount: "0.166666" }) }]);
  });

  it("leaves out what can't be had", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    expect(await loadHome(fakeApi({}), catalogue)).toEqual({ latest: [], stats: null, rates: [] });
    expect(warn).toHaveBeenCalled();
    warn.mockRestore();
  });

  it("does not hide a fault of its own", async () => {
    await expect(loadHome({ call: () => Promise.reject(new TypeError("a fault")) }, catalogue)).rejects.toThrow(
      "a fault",
    );
  });
});
