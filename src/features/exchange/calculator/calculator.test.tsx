import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sampleRate } from "../model/samples.ts";
import { click, fakeNetwork, openingAt, press, render, type, until } from "../testing.tsx";
import { Calculator } from "./calculator.tsx";

const value = (field: HTMLElement): string => (field as HTMLInputElement).value;
const down = async () => ({ status: 503, body: { status: "ERR_SERVICE_UNAVAILABLE", message: "", traceId: "t" } });

beforeEach(() => void fakeNetwork(down));
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
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

  it("sets the amount to the bound that it missed", async () => {
    const firstFailure = { kind: "too-big", expected: "83.3", slug: "eth" } as const;
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
    expect(all(".w-amount-trouble")).toHaveLength(0);
    await leave();
  });

  it("offers the floating rate where only the fixed one is too small for the amount", async () => {
    const firstFailure = { kind: "too-big", expected: "16", slug: "eth" } as const;
    const { find, button, leave } = await render(
      <Calculator place="exchange" />,
      openingAt({ amount: "75", rateMode: "FIXED", firstRate: null, firstFailure }),
    );
    expect(find(".w-amount-trouble").textContent).toContain("A fixed rate takes up to 16\u00a0ETH");
    await click(button("Switch to floating"));
    expect(find<HTMLInputElement>("[value=FLOATING]").checked).toBe(true);
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

  it("says that a rate did not load, and loads it again when asked", async () => {
    fakeNetwork(async () => ({ status: 200, body: sampleRate() }));
    const { find, button, leave } = await render(
      <Calculator place="exchange" />,
      openingAt({ firstRate: null, firstFailure: { kind: "not-loaded" } }),
    );
    expect(find(".w-rate-card").textContent).toContain("Rate didn't load");
    await click(button("Try again"));
    await until(() => expect(find(".w-rate-card").textContent).toContain("1\u00a0ETH ≈"));
    await leave();
  });
});

describe("the list of coins", () => {
  const open = async () => {
    const page = await render(<Calculator place="exchange" />);
    await click(page.button("Choose the coin you get"));
    await until(() => void page.find("[role=listbox]"));
    return page;
  };
  const active = (search: HTMLElement) =>
    document.getElementById(search.getAttribute("aria-activedescendant") ?? "")?.textContent;

  it("is worked by keys alone", async () => {
    const { find, all, leave } = await open();
    const search = find("[role=combobox]");
    expect(search.getAttribute("aria-activedescendant")).toBeNull();
    await press(search, "ArrowDown");
    expect(active(search)).toContain("Ethereum");
    await press(search, "ArrowUp");
    expect(active(search)).toContain("Dai");
    await type(search, "dai");
    expect(all("[role=option]")).toHaveLength(1);
    await press(search, "Enter");
    expect(all(".w-coin-pill__ticker").map((ticker) => ticker.textContent)).toEqual(["ETH", "DAI"]);
    expect(find<HTMLDialogElement>("dialog").open).toBe(false);
    await leave();
  });

  it("marks the chosen coin and swaps when the other side's is chosen", async () => {
    const { find, all, leave } = await open();
    expect(find("[aria-selected=true]").textContent).toContain("Tether");
    await type(find("[role=combobox]"), "eth");
    await press(find("[role=combobox]"), "Enter");
    expect(all(".w-coin-pill__ticker").map((ticker) => ticker.textContent)).toEqual(["USDT", "ETH"]);
    await leave();
  });

  it("says so when nothing matches", async () => {
    const { find, all, leave } = await open();
    await type(find("[role=combobox]"), "doge");
    expect(all("[role=option]")).toHaveLength(0);
    expect(find(".w-coin-selector__nothing").textContent).toContain("No coin matches “doge”");
    await leave();
  });
});
