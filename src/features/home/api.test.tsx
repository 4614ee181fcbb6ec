import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PageContext } from "../../shared/page/page-context.ts";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import { useHomeParts } from "./api.ts";
import { type HomeParts, loadHome } from "./load.ts";
import { fakeApi, instrument, refused } from "./testing/fake-api.ts";

const catalogue = {
  instruments: [instrument("eth", "ETH", { price: "3000" }), instrument("usdt-erc20", "USDT")],
  pairs: [{ from: "eth", to: ["usdt-erc20"] }],
};
const rateAt = (price: string) => ({
  price,
  depositRules: { minAmount: "0.01", maxAmount: null },
  updatedAt: "2026-11-21T09:00:00Z",
});
const service = { rate: (): unknown => rateAt("2984") };
const api = fakeApi({ latestOrders: () => [], stats: () => ({ ordersTotal: 2 }), rate: () => service.rate() });

vi.mock("../../shared/http/http.ts", () => ({
  browserApi: { call: async (name: string, input: unknown) => api.call(name as "pairs", input as object) },
}));

const Parts = ({ first }: { readonly first: HomeParts }) => {
  const { value, at, polling } = useHomeParts(first, catalogue);
  return (
    <p>
      {polling}
      {`${value.rates.map(({ rate }) => rate?.price ?? "none").join()} at ${at}`}
    </p>
  );
};

let view: View;
const pass = (seconds: number) => settled(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
const text = (): string => view.container.textContent;

beforeEach(async () => {
  service.rate = () => rateAt("2984");
  vi.spyOn(console, "debug").mockReturnValue();
  await import("./fresh-poll.tsx");
  vi.useFakeTimers();
  const state = { data: null, now: "2026-11-21T09:00:00.000Z", isSandbox: true };
  const first = await loadHome(api, catalogue);
  view = await render(
    <PageContext value={state}>
      <Parts first={first} />
    </PageContext>,
  );
  // The page is at rest from its first touch on.
  dispatchEvent(new Event("pointerdown"));
  await settled(() => vi.advanceTimersByTimeAsync(0));
});
afterEach(async () => {
  await view.unmount();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the home page's parts", () => {
  it("are asked for every 30 s, and a rate that can't be had any more stays as a row without one", async () => {
    expect(text()).toBe("2984 at 2026-11-21T09:00:00.000Z");
    service.rate = () => rateAt("3001");
    await pass(30);
    expect(text()).toBe("3001 at 2026-11-21T09:00:30.000Z");
    service.rate = () => Promise.reject(refused(422));
    await pass(30);
    expect(text()).toBe("none at 2026-11-21T09:01:00.000Z");
  });

  it("stay as they are while the service can't answer", async () => {
    service.rate = () => Promise.reject(refused(500));
    await pass(30);
    expect(text()).toBe("2984 at 2026-11-21T09:00:00.000Z");
  });
});
