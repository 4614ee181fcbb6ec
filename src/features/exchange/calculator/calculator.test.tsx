import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderToString } from "react-dom/server";
import { HydrationProvider } from "../../../shared/page/use-hydrated.ts";
import { useRatesAt } from "../../../shared/format/rates-age.ts";
import { ETH, sampleInstrument, sampleRate } from "../testing/samples.ts";
import { click, clip, fakeNetwork, openingAt, render, type, typeAt, until } from "../testing/exchange-page.tsx";
import { AmountPresets } from "./amount-presets.tsx";
import { Calculator } from "./calculator.tsx";
import { Freshness } from "./rate-card.tsx";

const USD = sampleInstrument("usd", { instrumentType: "fiat", precisionDecimals: 2 });

const value = (field: HTMLElement): string => (field as HTMLInputElement).value;
const down = async () => ({ status: 503, body: { status: "ERR_SERVICE_UNAVAILABLE", message: "", traceId: "t" } });

beforeEach(() => void fakeNetwork(down));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

describe("Calculator", () => {
  it("shows a sum that adds up at its first render", async () => {
    const { find, all, leave } = await render(<Calculator place="exchange" />);
    expect(value(find("[name=amount-to-send]"))).toBe("0.5");
    expect(value(find("[name=amount-to-get]"))).toBe("1\u202f492.3");
    expect(all(".w-rate-rows dd").map((cell) => cell.textContent)).toEqual([
      "1\u202f500.0\u00a0USDT",
      "\u22127.5\u00a0USDT",
      "\u22120.2\u00a0USDT",
      "3 confirmations",
    ]);
    await leave();
  });

  it("values coins by card as its provider does, with fees in money and a note on the time", async () => {
    const fees = [
      { kind: "processing", amount: "3.61" },
      { kind: "platform", amount: "0.5" },
    ] as const;
    const purchase = sampleRate({
      instrumentFrom: USD,
      instrumentTo: ETH,
      amountToGive: "100",
      amountToGet: "0.03197",
      marketLeftPrice: "1",
      marketRightPrice: "2999.7",
      card: { provider: "Mercuryo", direction: "buy", fiat: "usd", fees, marketValue: "95.89", methods: ["Visa"] },
    });
    const { all, leave } = await render(
      <Calculator place="exchange" />,
      openingAt({ from: "usd", to: "eth", amount: "100", firstRate: purchase }),
      { instruments: [USD, ETH], pairs: [{ from: "usd", to: ["eth"] }] },
    );
    expect(all(".w-amount-card__usd").map(({ textContent }) => textContent)).toEqual(["Visa", "95.89\u00a0USD"]);
    await until(() => expect(all(".w-rate-rows__row").length).toBeGreaterThan(0));
    expect(all(".w-rate-rows__row").map(({ textContent }) => textContent.replaceAll("\u00a0", " "))).toEqual([
      "Card processing\u22123.61 USD",
      "Our fee\u22120.50 USD",
      "The coins are worth95.89 USD",
      expect.stringContaining("Market rate"),
      "Arrival timeDepends on Mercuryo",
    ]);
    await leave();
  });

  it("lets a page that loses its network say from when the rate that it opened with is", async () => {
    const Age = () => <output>{useRatesAt()}</output>;
    const updatedAt = "2030-01-01T10:00:00.000Z";
    const parts = [<Calculator key="calculator" place="exchange" />, <Age key="age" />];
    const { find, leave } = await render(parts, openingAt({ firstRate: { ...sampleRate(), updatedAt } }));
    expect(find("output").textContent).toBe(updatedAt);
    await leave();
  });

  it("sets the amount to the bound that it missed", async () => {
    const firstFailure = { kind: "too-big", expected: "83.3", slug: "eth", floatingMax: null } as const;
    const { find, button, all, leave } = await render(
      <Calculator place="exchange" />,
      openingAt({ amount: "500", firstRate: null, firstFailure }),
    );
    const send = find("[name=amount-to-send]");
    expect(send.getAttribute("aria-invalid")).toBe("true");
    expect(document.getElementById(send.getAttribute("aria-describedby") ?? "")?.textContent).toContain(
      "The largest amount is 83.3\u00a0ETH",
    );
    await click(button("Use 83.3"));
    expect(value(send)).toBe("83.3");
    expect(all(".w-amount-error")).toHaveLength(0);
    await leave();
  });

  it("offers the floating rate where only the fixed one is too small for the amount", async () => {
    const firstFailure = { kind: "too-big", expected: "16", slug: "eth", floatingMax: "80" } as const;
    const { find, button, leave } = await render(
      <Calculator place="exchange" />,
      openingAt({ amount: "75", rateMode: "FIXED", firstRate: null, firstFailure }),
    );
    expect(find(".w-amount-error").textContent).toContain("A fixed rate takes up to 16\u00a0ETH");
    expect(find(".w-amount-error__more").textContent).toBe("A floating rate takes up to 80\u00a0ETH");
    await click(button("Switch to floating"));
    expect(find<HTMLInputElement>("[value=FLOATING]").checked).toBe(true);
    await leave();
  });

  it("shows no sums of another amount while the amount can't be exchanged", async () => {
    const { find, all, leave } = await render(<Calculator place="exchange" />);
    expect(all(".w-rate-rows__row")).toHaveLength(4);
    await type(find("[name=amount-to-send]"), "");
    expect(all(".w-rate-rows__row")).toHaveLength(0);
    expect(find(".w-rate-card__freshness").textContent).toMatch(/^From /);
    await leave();
  });

  it("opens with the pair's rate, and no sums of another amount, where the amount is refused", async () => {
    const firstFailure = { kind: "too-small", expected: "0.01", slug: "eth" } as const;
    const { find, all, leave } = await render(
      <Calculator place="exchange" />,
      openingAt({ amount: "0.001", firstRate: sampleRate({ amountToGive: "0.01" }), firstFailure }),
    );
    expect(find(".w-rate-card__rate").textContent).toBe("1\u00a0ETH ≈ 2\u202f984.6\u00a0USDT");
    expect(find(".w-rate-card__freshness").textContent).toMatch(/^From /);
    // The warm colour means that money is at risk.
    expect(all(".w-rate-card__freshness--stale")).toHaveLength(0);
    expect(all(".w-rate-rows__row")).toHaveLength(0);
    expect(value(find("[name=amount-to-get]"))).toBe("");
    expect(find(".w-amount-error").textContent).toContain("The smallest amount is 0.01\u00a0ETH");
    await leave();
  });

  it("leaves the place of a rate's time empty until the reader's own time is known", async () => {
    const freshness = (
      <HydrationProvider>
        <Freshness age="waiting" updatedAt="2026-11-21T09:00:00.000Z" />
      </HydrationProvider>
    );
    expect(renderToString(freshness)).toContain("w-rate-card__freshness--UTC");
    const { all, leave } = await render(freshness);
    expect(all(".w-rate-card__freshness--UTC")).toHaveLength(0);
    await leave();
  });

  it("doesn't call another amount's sums live while the new amount's are on their way", async () => {
    const firstRate = sampleRate({ updatedAt: new Date().toISOString() });
    const { find, leave } = await render(<Calculator place="exchange" />, openingAt({ firstRate }));
    expect(find(".w-rate-card__freshness").textContent).toBe("Live");
    await type(find("[name=amount-to-send]"), "0.7");
    expect(find(".w-rate-card__freshness").textContent).toBe("Refreshing");
    expect(find(".w-rate-card__rows--stale").textContent).toContain("Our fee");
    await leave();
  });

  it("keeps the amount with its coin when the coins are swapped", async () => {
    const { find, leave } = await render(<Calculator place="exchange" />);
    await click(find(".w-calculator__swap"));
    expect(value(find("[name=amount-to-get]"))).toBe("0.5");
    expect(value(find("[name=amount-to-send]"))).toBe("");
    await leave();
  });

  it("cleans what is typed and drops the other side until its rate has come", async () => {
    const { find, all, leave } = await render(<Calculator place="exchange" />);
    await type(find("[name=amount-to-get]"), "1 000,5x");
    expect(value(find("[name=amount-to-get]"))).toBe("1000.5");
    expect(value(find("[name=amount-to-send]"))).toBe("");
    expect(all(".w-skeleton").length).toBeGreaterThan(0);
    await leave();
  });

  it("cleans in the middle of an amount and leaves the caret where the person types", async () => {
    const { find, leave } = await render(<Calculator place="exchange" />);
    const send = find<HTMLInputElement>("[name=amount-to-send]");
    await typeAt(send, "1 2x34", 4);
    expect([send.value, send.selectionStart]).toEqual(["1234", 2]);
    await typeAt(send, "1,234", 2);
    expect([send.value, send.selectionStart]).toEqual(["1.234", 2]);
    await leave();
  });

  it("shows what is typed as it is, and groups and tidies it once the field is left", async () => {
    const { find, leave } = await render(<Calculator place="exchange" />);
    const send = find<HTMLInputElement>("[name=amount-to-send]");
    await type(send, "12500.50");
    expect(send.value).toBe("12500.50");
    await act(async () => send.blur());
    expect(send.value).toBe("12\u202f500.5");
    await leave();
  });

  it("reads a pasted amount by its last separator, and gives a copied one without groups", async () => {
    const { find, leave } = await render(<Calculator place="exchange" />);
    const send = find<HTMLInputElement>("[name=amount-to-send]");
    await clip(send, "paste", "1.234,50");
    expect(send.value).toBe("1234.50");
    await act(async () => send.blur());
    expect(send.value).toBe("1\u202f234.5");
    expect(await clip(send, "copy")).toBe("1234.5");
    await leave();
  });

  it("goes to the floating rate where there is no fixed one, says so and offers it no more", async () => {
    const { find, leave } = await render(<Calculator place="exchange" />, openingAt({ isFixedRefused: true }));
    expect(find<HTMLInputElement>("[value=FLOATING]").checked).toBe(true);
    expect(find<HTMLInputElement>("[value=FIXED]").disabled).toBe(true);
    expect(find(".w-rate-mode__caption").textContent).toBe("No fixed rate for this pair right now.");
    await leave();
  });

  it("says that a pair can't be had in the card of its coin, and offers another", async () => {
    const { find, button, all, leave } = await render(
      <Calculator place="exchange" />,
      openingAt({ firstRate: null, firstFailure: { kind: "pair-unsupported" } }),
    );
    const get = find("[name=amount-to-get]");
    expect(get.getAttribute("aria-invalid")).toBe("true");
    expect(find(`#${CSS.escape(get.getAttribute("aria-describedby") ?? "")}`).textContent).toContain(
      "ETH to USDT isn’t available right now",
    );
    expect(all(".w-rate-card")).toHaveLength(0);
    expect(button("Continue").hasAttribute("disabled")).toBe(true);
    await click(button("Choose another coin"));
    await until(() => void find("[role=listbox]"));
    await leave();
  });

  it("asks for an amount where there is none", async () => {
    const { find, button, leave } = await render(<Calculator place="exchange" />);
    await type(find("[name=amount-to-send]"), "0");
    expect(button("Enter an amount").hasAttribute("disabled")).toBe(true);
    await leave();
  });

  it("does not swap a pair of which nothing is known yet", async () => {
    const { find, all, leave } = await render(<Calculator place="exchange" />);
    const swap = find(".w-calculator__swap");
    const tickers = () => all(".w-coin-pill__ticker").map((ticker) => ticker.textContent);
    expect(swap.getAttribute("aria-disabled")).toBe("false");
    await click(swap);
    expect(tickers()).toEqual(["USDT", "ETH"]);
    expect(swap.getAttribute("aria-disabled")).toBe("true");
    await click(swap);
    expect(tickers()).toEqual(["USDT", "ETH"]);
    await leave();
  });

  it("keeps the last values without a network, as no longer live, and nothing that needs it", async () => {
    const { find, button, all, leave } = await render(<Calculator place="exchange" />);
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await act(async () => void globalThis.dispatchEvent(new Event("offline")));
    expect(value(find("[name=amount-to-get]"))).toBe("1\u202f492.3");
    expect(all(".w-amount-card--offline")).toHaveLength(2);
    expect(all(".w-rate-mode input").map((input) => (input as HTMLInputElement).disabled)).toEqual([true, true]);
    expect(find(".w-rate-card__freshness--stale").textContent).toBe("From 09:00");
    expect(button("Waiting for a connection").hasAttribute("disabled")).toBe(true);
    await click(find(".w-calculator__swap"));
    expect(all(".w-coin-pill__ticker").map((ticker) => ticker.textContent)).toEqual(["USDT", "ETH"]);
    await leave();
  });

  it("shows no sums of another amount without a network, where nothing will replace them", async () => {
    const { find, all, leave } = await render(<Calculator place="exchange" />);
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await act(async () => void globalThis.dispatchEvent(new Event("offline")));
    expect(all(".w-rate-rows__row")).toHaveLength(4);
    await type(find("[name=amount-to-send]"), "0.7");
    expect(all(".w-rate-rows__row")).toHaveLength(0);
    expect(find(".w-rate-card__rate").textContent).toBe("1\u00a0ETH ≈ 2\u202f984.6\u00a0USDT");
    expect(find(".w-rate-card__freshness").textContent).toMatch(/^From /);
    await leave();
  });

  it("says how long a fixed quote is valid, and when it is being renewed", async () => {
    vi.useFakeTimers();
    const quote = sampleRate({ rateMode: "FIXED", validUntil: "2026-11-21T09:01:00.000Z" });
    const { find, leave } = await render(
      <Calculator place="exchange" />,
      openingAt({ rateMode: "FIXED", firstRate: quote }),
    );
    const clock = () => find(".w-rate-card__freshness [aria-hidden]").textContent;
    expect(clock()).toBe("Refreshes in 01:00");
    await act(() => vi.advanceTimersByTimeAsync(18_000));
    expect(clock()).toBe("Refreshes in 00:42");
    await act(() => vi.advanceTimersByTimeAsync(43_000));
    expect(clock()).toBe("Refreshing");
    vi.useRealTimers();
    await leave();
  });

  it("offers round amounts that the pair takes, and sets the one that is pressed", async () => {
    const { find, button, all, leave } = await render(
      <>
        <Calculator place="exchange" />
        <AmountPresets />
      </>,
    );
    expect(all(".w-presets__amount").map((preset) => preset.textContent)).toContain("2\u00a0ETH $6\u202f000.00");
    expect(all(".w-presets__amount")).toHaveLength(12);
    await type(find("[name=amount-to-get]"), "7");
    await click(button("2\u00a0ETH"));
    expect(value(find("[name=amount-to-send]"))).toBe("2");
    await leave();
  });

  it("says that a rate did not load, and loads it again when asked", async () => {
    fakeNetwork(async () => ({ status: 200, body: sampleRate() }));
    const { find, button, leave } = await render(
      <Calculator place="exchange" />,
      openingAt({ firstRate: null, firstFailure: { kind: "not-loaded" } }),
    );
    expect(find(".w-rate-card").textContent).toContain("The rate didn’t load");
    await click(button("Try again"));
    await until(() => expect(find(".w-rate-card").textContent).toContain("1\u00a0ETH ≈"));
    await leave();
  });
});
