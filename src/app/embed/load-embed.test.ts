import { expect, test } from "vitest";
import type { RateRequest } from "#contract/rate.ts";
import type { Api } from "#contract/site/ssr.ts";
import { DAI, ETH, sampleRate, USDT } from "../../features/exchange/testing/samples.ts";
import { readWidgetQuery } from "../../features/widget/model/widget-settings.ts";
import { loadEmbed, loadPair } from "./load-embed.ts";

const answers: Record<string, (query: never) => unknown> = {
  instruments: () => [ETH, USDT, DAI],
  pairs: () => [
    { from: ETH.slug, to: [USDT.slug, DAI.slug] },
    { from: DAI.slug, to: [ETH.slug] },
  ],
  defaultPair: () => ({ instrumentFrom: ETH, instrumentTo: USDT }),
  recommendedAmount: () => ({ recommendedAmount: "0.16" }),
  rate: ({ claimedDepositAmount }: RateRequest) => sampleRate({ amountToGive: claimedDepositAmount }),
};
const api = { call: async (name: string, input?: { query: never }) => answers[name]?.(input?.query as never) } as Api;

const SITE = "amount=0.77&ref=shop";
const again = async (pair: string, query = "", site = SITE) => {
  const { opening } = await loadPair(pair, new URLSearchParams(query), readWidgetQuery(new URLSearchParams(site)), api);
  return { from: opening.from, to: opening.to, amount: opening.amount, ref: opening.ref };
};

test("a new exchange after an order has the amount and the referrer that the site set", async () => {
  const first = await loadEmbed(readWidgetQuery(new URLSearchParams(SITE)), api);
  expect(first.opening).toMatchObject({ amount: "0.77", ref: "shop" });
  expect(await again("eth-usdt-erc20")).toEqual({ from: "eth", to: "usdt-erc20", amount: "0.77", ref: "shop" });
  expect(await again("eth-usdt-erc20", "", `from=eth&${SITE}`)).toMatchObject({ amount: "0.77" });
});

test("the site's amount counts the coin that it sends, whatever is got for it", async () => {
  expect(await again("eth-dai-erc20")).toMatchObject({ to: "dai-erc20", amount: "0.77", ref: "shop" });
  const { amount, ref } = await again("dai-erc20-eth");
  expect([amount === "0.77", ref]).toEqual([false, "shop"]);
});

test("what is created again has the amount of its order, and the site's referrer", async () => {
  expect(await again("eth-usdt-erc20", "amount=0.5&mode=fixed")).toMatchObject({ amount: "0.5", ref: "shop" });
});
