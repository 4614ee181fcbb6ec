import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PageContext } from "../../../shared/page/page-context.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { fakeApi, instrument, refused } from "../testing/fake-api.ts";
import { loadPopular, type PopularData } from "../load.ts";
import { PopularPage } from "./popular-page.tsx";

const instruments = [instrument("eth", "ETH", { price: "3000" }), instrument("usdt-erc20", "USDT")];
const pairs = [
  { from: "eth", to: ["usdt-erc20"] },
  { from: "usdt-erc20", to: ["eth"] },
];
const rateAt = (price: string) => ({
  price,
  depositRules: { minAmount: "0.01", maxAmount: "80" },
  updatedAt: "2026-11-21T14:32:10Z",
});
const service = { price: "2984" as string | null };
const api = fakeApi({
  instruments: () => instruments,
  pairs: () => pairs,
  askedPairs: () => [],
  rate: (input) => {
    const { instrumentFromSlug } = (input as { query: { instrumentFromSlug: string } }).query;
    if (instrumentFromSlug !== "eth") return Promise.reject(refused(422));
    return service.price === null ? Promise.reject(refused(503)) : rateAt(service.price);
  },
});

vi.mock("../../../shared/http/http.ts", () => ({
  browserApi: { call: async (name: string, input: unknown) => api.call(name as "pairs", input as object) },
}));

let view: View | null = null;
beforeEach(async () => {
  service.price = "2984";
  await import("../fresh-poll.tsx");
  vi.useFakeTimers();
});
afterEach(async () => {
  await view?.unmount();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function show(data: PopularData): Promise<string[][]> {
  const state = { data, now: "2026-11-21T14:32:11Z", isSandbox: true };
  view = await render(
    <PageContext value={state}>
      <PopularPage />
    </PageContext>,
  );
  // The page is at rest from its first touch on.
  dispatchEvent(new Event("pointerdown"));
  await settled(() => vi.advanceTimersByTimeAsync(0));
  return rows();
}

const rows = (): string[][] =>
  [...(view?.container.querySelectorAll("tbody tr") ?? [])].map((row) => [
    row.querySelector("a")?.getAttribute("href") ?? "",
    ...[...row.querySelectorAll("td")].slice(0, 2).map(({ textContent }) => textContent ?? ""),
  ]);

describe("the popular exchanges", () => {
  it("name what each pair pays and takes, lead to it, and say when a pair has no rate", async () => {
    expect(await show(await loadPopular(api))).toEqual([
      ["/exchange-eth-usdt-erc20", "2\u202F984 USDT", "0.01 – 80\u00A0ETH"],
      ["/exchange-usdt-erc20-eth", "No rate right now", ""],
    ]);
    expect(view?.container.textContent).toContain("Rates from");
    expect(view?.container.textContent).toContain("2 coins on 1 network, 2 pairs in all.");
    expect([...(view?.container.querySelectorAll("section a") ?? [])].map((link) => link.getAttribute("href"))).toEqual(
      ["/exchange-eth-usdt-erc20", "/exchange-usdt-erc20-eth"],
    );
  });

  it("follow the rates while they are seen, and keep the last ones while the service can't answer", async () => {
    vi.spyOn(console, "debug").mockReturnValue();
    await show(await loadPopular(api));
    service.price = "3001";
    await settled(() => vi.advanceTimersByTimeAsync(30_000));
    expect(rows()[0]?.[1]).toBe("3\u202F001 USDT");
    service.price = null;
    await settled(() => vi.advanceTimersByTimeAsync(30_000));
    expect(rows()[0]?.[1]).toBe("3\u202F001 USDT");
    service.price = "3002";
    const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    await settled(() => vi.advanceTimersByTimeAsync(60_000));
    expect(rows()[0]?.[1]).toBe("3\u202F001 USDT");
    hidden.mockReturnValue("visible");
    await settled(() => document.dispatchEvent(new Event("visibilitychange")));
    await vi.waitFor(() => expect(rows()[0]?.[1]).toBe("3\u202F002 USDT"));
  });

  it("say so where there are none", async () => {
    expect(
      await show({ pairs: [], directory: { coins: [], entries: [] }, inAll: { coins: 0, networks: 0, pairs: 0 } }),
    ).toEqual([]);
    expect(view?.container.textContent).toContain("No popular pair is available right now.");
  });
});
