import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { Calculator } from "../calculator/calculator.tsx";
import { DAI, ETH, sampleInstrument, USDT } from "../testing/samples.ts";
import type { Catalogue } from "../store/state.ts";
import {
  catalogue,
  click,
  fakeNetwork,
  layOut,
  openingAt,
  press,
  render,
  type,
  until,
} from "../testing/exchange-page.tsx";

const TRON_USDT = sampleInstrument("usdt-trc20", {
  currencyFriendlyTitle: "Tether",
  networkTitle: "TRX",
  networkFriendlyTitle: "TRON",
});
const USD = sampleInstrument("usd", {
  currencyFriendlyTitle: "US dollar",
  networkTitle: "USD",
  instrumentType: "fiat",
  price: null,
});

const everyPairOf = (instruments: readonly Instrument[]): Catalogue => ({
  instruments,
  pairs: instruments.map(({ slug: from }) => ({
    from,
    to: instruments.flatMap(({ slug }) => (slug === from ? [] : [slug])),
  })),
});

const coin = (index: number) => sampleInstrument(`c${index}`, { currencyFriendlyTitle: `Coin ${index}` });

beforeEach(() => {
  fakeNetwork(async () => ({ status: 503, body: { status: "ERR_SERVICE_UNAVAILABLE", message: "", traceId: "t" } }));
  layOut();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

async function open(offered = catalogue) {
  const page = await render(<Calculator place="exchange" />, openingAt(), offered);
  await click(page.button("Choose the coin you get"));
  await until(() => void page.find("[role=listbox]"));
  const search = page.find("[role=combobox]");
  const activeOption = () => document.getElementById(search.getAttribute("aria-activedescendant") ?? "");
  return {
    ...page,
    search,
    options: () => page.all("[role=option] .w-coin-option__text").map((text) => text.textContent ?? ""),
    activeOption,
    active: () => activeOption()?.textContent,
    tickers: () => page.all(".w-coin-pill__ticker").map((ticker) => ticker.textContent),
    chips: (title: string) => {
      const heading = page.all("h3").find((one) => one.textContent === title);
      return page
        .all(`[aria-labelledby="${heading?.id}"] button`)
        .map((chip) => chip.querySelector("span:nth-of-type(2)")?.textContent);
    },
  };
}

describe("the list of coins", () => {
  it("is worked by keys alone", async () => {
    const { search, active, options, tickers, find, leave } = await open();
    expect(search.getAttribute("aria-activedescendant")).toBeNull();
    await press(search, "ArrowDown");
    expect(active()).toContain("Ethereum");
    await press(search, "ArrowUp");
    expect(active()).toContain("Dai");
    await press(search, "Home");
    expect(active()).toContain("Ethereum");
    await press(search, "End");
    expect(active()).toContain("Dai");
    await type(search, "dai");
    expect(options()).toHaveLength(1);
    await press(search, "Enter");
    expect(tickers()).toEqual(["ETH", "DAI"]);
    expect(find<HTMLDialogElement>("dialog").open).toBe(false);
    await leave();
  });

  it("marks the chosen coin and swaps when the other side's is chosen", async () => {
    const { find, search, tickers, leave } = await open();
    expect(find("[aria-selected=true]").textContent).toContain("Tether");
    await type(search, "eth");
    await press(search, "Enter");
    expect(tickers()).toEqual(["USDT", "ETH"]);
    await leave();
  });

  it("says so when nothing matches", async () => {
    const { find, search, options, leave } = await open();
    await type(search, "doge");
    expect(options()).toEqual([]);
    expect(find(".w-coin-selector__nothing").textContent).toContain("No coin matches “doge”");
    await leave();
  });

  it("puts the networks of a coin under it, and says the coin with each", async () => {
    const { find, options, search, active, leave } = await open(everyPairOf([TRON_USDT, ETH, USDT, DAI]));
    expect(find("[aria-hidden=true].w-coin-option").textContent).toContain("USDT, 2 networks");
    expect(options()).toEqual([
      "Tether, TRON",
      "Tether, Ethereum",
      expect.stringContaining("EthereumETH"),
      "DaiDAI on Ethereum",
    ]);
    await press(search, "ArrowDown");
    await press(search, "ArrowDown");
    expect(active()).toContain("Tether, Ethereum");
    await leave();
  });

  it("says the time and the fee of each network in a search as well", async () => {
    const tether = { ...USDT, payoutSeconds: 50, payoutFee: "0.203" };
    const tron = { ...TRON_USDT, payoutSeconds: 130, payoutFee: "1" };
    const { options, search, find, leave } = await open(everyPairOf([tron, ETH, tether]));
    const fee = () => find(".w-coin-option__fee").textContent.replace("\u00a0", " ");
    expect(fee()).toBe("fee 1 USDT");
    await type(search, "usdt");
    expect(options().map((text) => text.replaceAll("\u00a0", " "))).toEqual([
      "TetherUSDT on TRON, about 3 min, fee 1 USDT",
      "TetherUSDT on Ethereum, about 1 min, fee 0.203 USDT",
    ]);
    await leave();
  });

  it("narrows a search to a network, and says what it leaves out", async () => {
    const { button, find, options, search, leave } = await open(everyPairOf([TRON_USDT, ETH, USDT, DAI]));
    await type(search, "usd");
    await click(button("TRON"));
    expect(options()).toEqual(["TetherUSDT on TRON"]);
    expect(find(".w-coin-selector__head").textContent).toBe("1 coin on TRON");
    expect(find(".w-coin-selector__nothing").textContent).toContain("1 more coin matches “usd” on other networks.");
    await click(button("Show all networks"));
    expect(options()).toHaveLength(2);
    await leave();
  });

  it("keeps what was chosen last, the newest first, and leaves out what is not offered", async () => {
    localStorage.setItem("recent-coins:v1", '["gone","eth"]');
    dispatchEvent(new StorageEvent("storage", { key: "recent-coins:v1" }));
    const { chips, search, leave } = await open();
    expect(chips("Recent")).toEqual(["ETH"]);
    expect(chips("Popular")).toEqual(["ETH", "USDT"]);
    await type(search, "dai");
    await press(search, "Enter");
    await leave();
    const again = await open();
    expect(again.chips("Recent")).toEqual(["DAI", "ETH"]);
    await again.leave();
  });

  it("renders of two thousand coins only the visible ones, and always the active one", async () => {
    const instruments = [...Array.from({ length: 1_998 }, (_, index) => coin(index)), ETH, USDT];
    const pairs = [{ from: "eth", to: instruments.map(({ slug }) => slug) }];
    const { all, find, search, active, activeOption, tickers, leave } = await open({ instruments, pairs });
    expect(all("[role=option]").length).toBeLessThan(40);
    expect(find("[role=option]").getAttribute("aria-setsize")).toBe("2000");
    expect(find("[role=option]").getAttribute("aria-posinset")).toBe("1");
    await press(search, "End");
    expect(active()).toContain("Tether");
    expect(activeOption()?.getAttribute("aria-posinset")).toBe("2000");
    await press(search, "PageUp");
    expect(active()).toContain("Coin 1991");
    expect(all("[role=option]").length).toBeLessThan(40);
    await type(search, "Coin 1234");
    await press(search, "Enter");
    expect(tickers()).toEqual(["ETH", "C1234"]);
    await leave();
  });
});

describe("cards and banks", () => {
  const openFiat = async (offered: Catalogue) => {
    const page = await open(offered);
    await click(page.find("[value=fiat]"));
    return { ...page, search: page.find("[role=combobox]") };
  };

  it("have no tab where no pair has them", async () => {
    const { all, options, leave } = await open({
      instruments: [...catalogue.instruments, USD],
      pairs: catalogue.pairs,
    });
    expect(all("[value=fiat]")).toHaveLength(0);
    expect(options().join()).not.toContain("US dollar");
    await leave();
  });

  it("are chosen like coins where a pair has them", async () => {
    const { all, find, tickers, leave } = await openFiat(everyPairOf([ETH, USDT, USD]));
    expect(all(".w-note")).toHaveLength(0);
    await click(find("[role=option]"));
    expect(tickers()).toEqual(["ETH", "USD"]);
    expect(all(".w-coin-pill__network").map(({ textContent }) => textContent)).toEqual(["Ethereum", "Card"]);
    await leave();
  });

  it("have no networks to be narrowed to, also while they are searched", async () => {
    const EUR = sampleInstrument("eur", { networkTitle: "EUR", instrumentType: "fiat", price: null });
    const { all, find, search, leave } = await openFiat(everyPairOf([ETH, USDT, USD, EUR]));
    expect(find(".w-coin-selector__head").textContent).toBe("All currencies");
    await type(search, "u");
    expect(all("[role=option]")).toHaveLength(2);
    expect(all("[role=group] .w-chip")).toHaveLength(0);
    await leave();
  });

  it("say the least that is paid with them, and are found by a country", async () => {
    const dollar = { ...USD, cardMinAmount: "30" };
    const euro = { ...USD, slug: "eur", currencyTitle: "EUR", networkTitle: "EUR", currencyFriendlyTitle: "Euro" };
    const page = await render(<Calculator place="exchange" />, openingAt(), everyPairOf([ETH, USDT, dollar, euro]));
    await click(page.button("Choose the coin you send"));
    await until(() => void page.find("[role=listbox]"));
    await click(page.find("[value=fiat]"));
    const options = () => page.all("[role=option]").map((option) => option.textContent ?? "");
    expect(options()).toEqual([
      expect.stringMatching(/USD, card.*from 30/),
      expect.stringMatching(/^.?Euro\s*EUR, card$/u),
    ]);
    expect(page.all("[aria-controls$=networks]")).toHaveLength(0);
    await type(page.find("[role=combobox]"), "germany");
    expect(options()).toEqual([expect.stringContaining("Euro")]);
    await page.leave();
  });

  it("have no tab where the catalogue has none", async () => {
    const { all, leave } = await open();
    expect(all("[value=fiat]")).toHaveLength(0);
    await leave();
  });
});
