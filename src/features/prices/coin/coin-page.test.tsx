import { useEffect } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PriceHistoryAnswer } from "#contract/prices.ts";
import type { PairData } from "#contract/rate.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { PageContext } from "../../../shared/page/page-context.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import type { CoinPageData } from "../load.ts";
import { type CalculatorSlotProps, CoinPage } from "./coin-page.tsx";

const call = vi.hoisted(() => vi.fn<() => Promise<PriceHistoryAnswer>>());
vi.mock("../../../shared/http/http.ts", () => ({ browserApi: { call } }));

const mark = { currencyTitle: "ETH", networkTitle: "ETH", instrumentType: "other" as const };
const coin = {
  symbol: "eth",
  name: "Ethereum",
  ticker: "ETH",
  slugs: ["eth"],
  priceUsd: "3000",
  change24h: "1.24",
  change7d: null,
  sparkline: [],
  mark,
};
const tether = { ...coin, symbol: "usdt", name: "Tether", ticker: "USDT", slugs: ["usdt-erc20"] };
const data: CoinPageData = {
  coin,
  networks: [sampleInstrument("eth", { contractAddress: "0xcontract" })],
  history: { symbol: "eth", range: "7d", points: [], updatedAt: null, day: { low: "2950", high: "3010" } },
  currencies: ["USD"],
  limits: { min: "0.01", max: "12" },
  related: [{ coin: tether, from: "eth", to: "usdt-erc20" }],
};
const rateOf = (from: string, to: string, [left, right]: [string, string]) =>
  ({
    instrumentFrom: sampleInstrument(from),
    instrumentTo: sampleInstrument(to),
    marketLeftPrice: left,
    marketRightPrice: right,
    updatedAt: "2026-11-21T12:05:00.000Z",
  }) as PairData;

let view: View;
const opened = vi.fn<(props: CalculatorSlotProps) => void>();
function Calculator(props: CalculatorSlotProps) {
  useEffect(() => opened(props));
  return <b>calculator</b>;
}
beforeEach(async () => {
  vi.useFakeTimers();
  call.mockReset().mockRejectedValue(new CallError({ kind: "network", message: "not reached" }));
  const state = { data, now: "2026-11-21T12:00:00.000Z", isSandbox: false };
  view = await render(
    <PageContext value={state}>
      <CoinPage Calculator={Calculator} />
    </PageContext>,
  );
});
afterEach(async () => {
  await view.unmount();
  vi.useRealTimers();
});
const priceShown = () => view.get(".w-coin-page__price strong").textContent;
const text = () => view.container.textContent ?? "";

it("shows the price that the page came with, the coin's facts, and a calculator of its first pair", () => {
  expect(priceShown()).toBe("$3\u202F000.00");
  for (const fact of ["0.01 – 12 ETH", "0xcontract", "Ethereum: 3 confirmations."]) expect(text()).toContain(fact);
  expect(opened).toHaveBeenLastCalledWith({ from: "eth", to: "usdt-erc20", onRate: expect.any(Function) });
});

it.each([
  ["as what is sent", rateOf("eth", "usdt-erc20", ["3100", "1"]), "$3\u202F100.00"],
  ["as what is received", rateOf("usdt-erc20", "eth", ["1", "3200"]), "$3\u202F200.00"],
  ["of other coins not at all", rateOf("btc", "usdt-erc20", ["90000", "1"]), "$3\u202F000.00"],
])("follows the coin's price in the rates of the socket, %s", async (_, rate, expected) => {
  await settled(() => opened.mock.lastCall?.[0].onRate(rate));
  expect(priceShown()).toBe(expected);
});

it("shows the lowest and the highest price of a day, which the price of now moves", async () => {
  const tiles = () => view.get(".w-coin-page__tiles").textContent ?? "";
  expect(tiles()).toContain("24 h low$2\u202F950.0024 h high$3\u202F010.00");
  await settled(() => opened.mock.lastCall?.[0].onRate(rateOf("eth", "usdt-erc20", ["3100", "1"])));
  expect(tiles()).toContain("24 h low$2\u202F950.0024 h high$3\u202F100.00");
});

it("says that its prices are old where the service can't be reached, and keeps them", async () => {
  await settled(() => vi.advanceTimersByTimeAsync(14_000));
  expect(text()).not.toContain("These prices are from");
  await settled(() => vi.advanceTimersByTimeAsync(2_000));
  expect(text()).toContain("These prices are from");
  expect(priceShown()).toBe("$3\u202F000.00");
});

it("says that a period's prices can't be had, and shows them once they are asked for again", async () => {
  await settled(() => view.get<HTMLInputElement>("input[name=range][value='1y']").click());
  await settled(() => vi.advanceTimersByTimeAsync(100));
  expect(text()).toContain("Try again");
  call.mockResolvedValue({ ...data.history, range: "1y" });
  await settled(() => view.get(".w-chart button").click());
  expect(text()).not.toContain("Try again");
  expect(text()).toContain("There are no prices for this period yet");
});
