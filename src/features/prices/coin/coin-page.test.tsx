import { useEffect } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PriceHistoryAnswer } from "#contract/prices.ts";
import type { RateRequest } from "#contract/rate.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import type { RatesListener } from "../../../shared/http/rates-socket.ts";
import { PageContext } from "../../../shared/page/page-context.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import type { CoinPageData } from "../load.ts";
import { type CalculatorSlotProps, CoinPage } from "./coin-page.tsx";

const call = vi.hoisted(() => vi.fn<() => Promise<PriceHistoryAnswer>>());
vi.mock("../../../shared/http/http.ts", () => ({ browserApi: { call } }));
vi.mock("../../../shared/page/at-rest.ts", () => ({ atRest: async () => undefined }));

type Opened = { listener: RatesListener; asked: RateRequest[]; isClosed: boolean };
const sockets = vi.hoisted((): Opened[] => []);
vi.mock("../../../shared/http/rates-socket.ts", () => ({
  ratesSocketUrl: () => "",
  RatesSocket: class {
    private readonly opened: Opened;
    constructor(_url: string, listener: RatesListener) {
      this.opened = { listener, asked: [], isClosed: false };
      sockets.push(this.opened);
    }
    connect(): void {}
    request(asked: RateRequest): void {
      this.opened.asked.push(asked);
    }
    close(): void {
      this.opened.isClosed = true;
    }
  },
}));

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
const tether = { ...coin, symbol: "usdt", name: "Tether", ticker: "USDT", slugs: ["usdt-erc20"], priceUsd: "0.5" };
const unpriced = { ...coin, symbol: "new", name: "New", ticker: "NEW", slugs: ["new"], priceUsd: null };
const data: CoinPageData = {
  coin,
  networks: [sampleInstrument("eth", { contractAddress: "0xcontract" })],
  history: { symbol: "eth", range: "7d", points: [], updatedAt: null, day: { low: "2950", high: "3010" } },
  currencies: ["USD"],
  limits: { min: "0.01", max: "12" },
  livePair: { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: "0.2" },
  related: [
    { coin: tether, from: "eth", to: "usdt-erc20", isListed: true },
    { coin: unpriced, from: "eth", to: "new", isListed: false },
  ],
};

let view: View;
let look: () => void;
const opened = vi.fn<(props: CalculatorSlotProps) => void>();
function Calculator(props: CalculatorSlotProps) {
  useEffect(() => opened(props));
  return <b>calculator</b>;
}
beforeEach(async () => {
  vi.useFakeTimers();
  call.mockReset().mockRejectedValue(new CallError({ kind: "network", message: "not reached" }));
  opened.mockReset();
  sockets.length = 0;
  class Observer {
    constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
      look = () => report([{ isIntersecting: true }]);
    }
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  const state = { data, now: "2026-11-21T12:00:00.000Z", isSandbox: false };
  view = await render(
    <PageContext value={state}>
      <CoinPage Calculator={Calculator} />
    </PageContext>,
  );
  await vi.waitFor(() => expect(sockets.at(-1)?.asked).toHaveLength(1));
});
afterEach(async () => {
  await view.unmount();
  expect(sockets.at(-1)?.isClosed).toBe(true);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const priceShown = () => view.get(".w-coin-page__price strong").textContent;
const text = () => view.container.textContent ?? "";
const tell = (marketLeftPrice: string) =>
  settled(() => {
    const rate = { marketLeftPrice, updatedAt: "2026-11-21T12:05:00.000Z" };
    sockets.at(-1)?.listener.onRate(rate as Parameters<RatesListener["onRate"]>[0]);
  });

it("shows the price that the page came with, and the coin's facts", () => {
  expect(priceShown()).toBe("$3\u202F000.00");
  for (const fact of ["0.01 – 12", "0xcontract", "Ethereum: 3 confirmations."]) expect(text()).toContain(fact);
});

it("opens a calculator of the coin's first pair once it is scrolled into view", async () => {
  expect(opened).not.toHaveBeenCalled();
  await settled(() => look());
  expect(opened).toHaveBeenLastCalledWith({ from: "eth", to: "usdt-erc20" });
});

it("follows the coin's price in the rates of the socket, and not a rate that grows old", async () => {
  expect(sockets.at(-1)?.asked).toMatchObject([{ instrumentFromSlug: "eth", claimedDepositAmount: "0.2" }]);
  await tell("3100");
  expect(priceShown()).toBe("$3\u202F100.00");
  expect(text()).toContain("updated at 12:05");
  await settled(() => sockets.at(-1)?.listener.onState?.("closed"));
  expect(priceShown()).toBe("$3\u202F000.00");
});

it("names beside each related pair what one coin is worth in the other now, and nothing where that is unknown", async () => {
  const pairs = () =>
    [...view.container.querySelectorAll(".w-coin-page__pair")].map((link) => [
      link.getAttribute("href"),
      link.textContent,
      link.getAttribute("rel"),
    ]);
  expect(pairs()).toEqual([
    ["/exchange-eth-usdt-erc20", "ETH to USDT6\u202F000", null],
    ["/exchange-eth-new", "ETH to NEW", "nofollow"],
  ]);
  await tell("3100");
  expect(pairs()[0]?.[1]).toBe("ETH to USDT6\u202F200");
});

it("shows the lowest and the highest price of a day, which the price of now moves", async () => {
  const tiles = () => view.get(".w-coin-page__tiles").textContent ?? "";
  expect(tiles()).toContain("24\u00A0h low$2\u202F950.0024\u00A0h high$3\u202F010.00");
  await tell("3100");
  expect(tiles()).toContain("24\u00A0h low$2\u202F950.0024\u00A0h high$3\u202F100.00");
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
