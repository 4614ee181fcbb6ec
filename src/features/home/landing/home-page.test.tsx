import { afterEach, describe, expect, it } from "vitest";
import { PageContext, type PageContextValue } from "../../../shared/page/page-context.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { HomeHero, HomeSections } from "./home-sections.tsx";
import type { HomeParts } from "../load.ts";
import { ratedCoins } from "../model/pair-rates.ts";
import { instrument } from "../testing/fake-api.ts";

const [eth, usdt] = [instrument("eth", "ETH", { price: "3000" }), instrument("usdt-erc20", "USDT")];
const NOTHING: HomeParts = { latest: [], stats: null, rates: [], changes: {} };
const EVERYTHING: HomeParts = {
  latest: [{ from: eth, to: usdt, amountFrom: "0.85", completedAt: "2026-11-21T12:00:00Z" }],
  stats: { ordersTotal: 9, orders24h: 1284, medianSeconds: 400, completedShare: 0.9949, coins: 38, networks: 21 },
  rates: ratedCoins({ instruments: [eth, usdt], pairs: [{ from: eth.slug, to: [usdt.slug] }] }).map((pair) => ({
    ...pair,
    rate: { price: "2984", min: "0.01", max: null, updatedAt: "2026-11-21T12:00:00Z" },
  })),
  changes: { eth: { day: "1.24", week: "-4.6" } },
};

let view: View | null = null;
afterEach(() => view?.unmount());

async function show(home: HomeParts, state: Partial<PageContextValue> = {}): Promise<string> {
  const data = { home, calculator: { catalogue: { instruments: [eth, usdt], pairs: [] } } };
  view = await render(
    <PageContext value={{ data, now: "2026-11-21T12:00:12Z", isSandbox: true, ...state }}>
      <HomeHero />
      <HomeSections />
    </PageContext>,
  );
  return view.container.textContent ?? "";
}

describe("the home page", () => {
  it("shows what it knows, as it is known", async () => {
    const text = await show(EVERYTHING);
    for (const shown of [
      "0.85\u00A0ETH → USDT12\u00A0s ago",
      "Half of all orders finish within 6\u00A0min 40\u00A0s",
      "1\u202F284",
      "99.4%",
      "38 coins",
      "2\u202F984",
      "from 0.01\u00A0ETH",
      "+1.24%",
      "\u22124.60%",
    ])
      expect(text).toContain(shown);
    expect(view?.get("tbody a").getAttribute("href")).toBe("/exchange-eth-usdt-erc20");
  });

  it("shows no part and no figure without data behind it", async () => {
    const text = await show(NOTHING);
    for (const name of ["Latest exchanges", "orders in the last 24 hours", "Rates now", "Half of all orders"])
      expect(text).not.toContain(name);
    expect(text).toContain("Exchange crypto at a rate you can check");
    await view?.unmount();

    const stats = {
      ordersTotal: null,
      orders24h: null,
      medianSeconds: null,
      completedShare: null,
      coins: 4,
      networks: 1,
    };
    expect(await show({ ...NOTHING, stats })).not.toMatch(/coins?on|median|completed/);
    await view?.unmount();

    const ofThree = { ...stats, orders24h: 3, medianSeconds: 400, completedShare: 0.75 };
    expect(await show({ ...NOTHING, stats: ofThree })).not.toMatch(/median|completed|Half of all orders/);
  });

  it("leads to the mini-app and to the source only where the operator names them", async () => {
    const links = () => [...(view?.container.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"));
    const linked = () => links().filter((href) => href !== "/support");
    await show(NOTHING);
    expect(links()).toEqual(["/support"]);
    expect(linked()).toEqual([]);
    await view?.unmount();
    await show(NOTHING, { miniAppUrl: "https://t.me/a_bot/app", sourceUrl: "https://code.example" });
    expect(linked()).toEqual(["https://t.me/a_bot/app", "https://code.example", "https://t.me/a_bot/app"].sort());
  });

  it("offers to install the app while the browser does, once", async () => {
    await show(NOTHING);
    const button = () => view?.container.querySelector<HTMLElement>(".w-app-band button") ?? null;
    expect(button()).toBeNull();
    let prompts = 0;
    const offer = Object.assign(new Event("beforeinstallprompt"), {
      prompt: async () => void (prompts += 1),
      userChoice: Promise.resolve({ outcome: "accepted" as const }),
    });
    globalThis.installOffer = offer;
    await settled(() => dispatchEvent(offer));
    await settled(() => button()?.click());
    expect(prompts).toBe(1);
    expect(button()).toBeNull();
  });
});
