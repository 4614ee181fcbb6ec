import { expect, it, vi } from "vitest";
import type { PairActivity } from "#contract/site/pair-activity.ts";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { sampleInstrument } from "../../shared/testing/sample-instrument.ts";
import { loadPair } from "./load.ts";

const catalogue = {
  instruments: [
    sampleInstrument("eth", { currencyTitle: "ETH", isPopular: true }),
    sampleInstrument("btc", { currencyTitle: "BTC", isPopular: true }),
    sampleInstrument("dai-erc20", { currencyTitle: "DAI", isPopular: false }),
  ],
  pairs: [{ from: "eth", to: ["btc", "dai-erc20"] }],
};
const quiet: PairActivity = { isAskedFor: false, latest: [], statistics: null };
const apiWith = (answer: () => PairActivity) => {
  const call = vi.fn<(name: string) => Promise<PairActivity>>(async () => answer());
  return { api: { call } as unknown as Api, call };
};

it.each([
  ["two popular coins", "btc", quiet, true],
  ["a coin that nobody asks for", "dai-erc20", quiet, false],
  ["a coin that is asked for", "dai-erc20", { ...quiet, isAskedFor: true }, true],
])("says whether search engines may keep the page: %s", async (_, to, activity, isListed) => {
  const { api } = apiWith(() => activity);
  expect(await loadPair(api, catalogue, { from: "eth", to })).toEqual({ isListed, activity });
});

it("asks nothing about a pair that is not offered", async () => {
  const { api, call } = apiWith(() => quiet);
  expect(await loadPair(api, catalogue, { from: "btc", to: "eth" })).toEqual({ isListed: false, activity: null });
  expect(call).not.toHaveBeenCalled();
});

it("leaves the page as it is where the activity can't be had", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const { api } = apiWith(() => {
    throw new CallError({ kind: "network", message: "not reached" });
  });
  expect(await loadPair(api, catalogue, { from: "eth", to: "btc" })).toEqual({ isListed: true, activity: null });
  // It may be one that customers exchange: nobody is asked to forget it for a moment's failure.
  expect(await loadPair(api, catalogue, { from: "eth", to: "dai-erc20" })).toEqual({ isListed: true, activity: null });
  expect(await loadPair(api, catalogue, { from: "btc", to: "eth" })).toEqual({ isListed: false, activity: null });
  vi.restoreAllMocks();
});
