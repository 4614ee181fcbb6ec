import { act, type ReactNode, useLayoutEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { PageContext } from "../../../shared/page/page-context.ts";
import { AppRoot } from "../../../shared/ui/index.ts";
import { catalogue, click, fakeNetwork, openingAt, type, until } from "../testing/exchange-page.tsx";
import type { Opening } from "../store/state.ts";
import { ExchangePage } from "./exchange-page.tsx";

const DAI_PAGE = "/exchange-dai-erc20-usdt-erc20";
const SWAPPED_PAGE = "/exchange-usdt-erc20-dai-erc20";
const down = async () => ({ status: 503, body: { status: "ERR_SERVICE_UNAVAILABLE", message: "", traceId: "t" } });
const i18n = createI18n("en", allMessages("en"));
let host: HTMLElement;
let root: Root;

const pageOf = (opening: Partial<Opening>, beside: ReactNode = null) => (
  <I18nextProvider i18n={i18n}>
    <PageContext
      value={{ data: { catalogue, opening: openingAt(opening) }, now: "2030-01-01T10:00:00.000Z", isSandbox: true }}
    >
      <AppRoot>
        <ExchangePage />
        {beside}
      </AppRoot>
    </PageContext>
  </I18nextProvider>
);
const show = (from: string) => act(async () => root.render(pageOf({ from })));

function swapButton(): HTMLElement {
  const swap = host.querySelector<HTMLElement>(".w-calculator__swap");
  if (swap === null) throw new Error("there is no button that swaps the coins");
  return swap;
}

beforeEach(async () => {
  fakeNetwork(down);
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  history.replaceState(null, "", DAI_PAGE);
  host = document.body.appendChild(document.createElement("div"));
  root = createRoot(host);
  await show("dai-erc20");
});
afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

describe("an amount that was typed", () => {
  const sent = () => host.querySelector<HTMLInputElement>("input[inputmode=decimal]") as HTMLInputElement;
  const openAnew = async (path: string, from = "dai-erc20") => {
    await act(async () => root.unmount());
    history.replaceState(null, "", path);
    root = createRoot(host);
    await show(from);
  };

  it("is there again after a reload, in another language and on the way back, on its own page alone", async () => {
    expect(sent().value).toBe("0.5");
    await type(sent(), "0.77");
    await openAnew(DAI_PAGE);
    expect(sent().value).toBe("0.77");
    await openAnew(`/ru${DAI_PAGE}`);
    expect(sent().value).toBe("0.77");
    await openAnew(`${DAI_PAGE}?amount=0.5`);
    expect(sent().value).toBe("0.5");
    await openAnew("/exchange-eth-usdt-erc20", "eth");
    expect(sent().value).toBe("0.5");
    history.replaceState(null, "", DAI_PAGE);
    await show("dai-erc20");
    expect(sent().value).toBe("0.77");
    await type(sent(), "");
    await openAnew(DAI_PAGE);
    expect(sent().value).toBe("");
  });
});

describe("the address of an exchange page", () => {
  it("follows the pair that somebody chooses, there and back", async () => {
    const swap = swapButton();
    await click(swap);
    expect(location.pathname).toBe(SWAPPED_PAGE);
    await until(() => expect(swap.getAttribute("aria-disabled")).toBe("false"));
    await click(swap);
    expect(location.pathname).toBe(DAI_PAGE);
  });

  describe("when the page of a choice is loaded with the next choice", () => {
    beforeEach(async () => {
      await click(swapButton());
      await until(() => expect(swapButton().getAttribute("aria-disabled")).toBe("false"));
    });
    const swappedPage = (beside?: ReactNode) => root.render(pageOf({ from: "usdt-erc20", to: "dai-erc20" }, beside));

    it("keeps to the choice that is made once that page is drawn", async () => {
      const PressOnceDrawn = () => {
        useLayoutEffect(() => swapButton().click(), []);
        return null;
      };
      await act(async () => swappedPage(<PressOnceDrawn />));
      expect(location.pathname).toBe(DAI_PAGE);
      expect(host.querySelector("h1")?.textContent).toMatch(/DAI.*USDT/);
    });

    it("keeps to the choice that is drawn together with that page", async () => {
      await act(async () => {
        swapButton().click();
        swappedPage();
      });
      expect(location.pathname).toBe(DAI_PAGE);
      expect(host.querySelector("h1")?.textContent).toMatch(/DAI.*USDT/);
    });
  });

  it("follows Back to a pair that was chosen here before", async () => {
    const swap = swapButton();
    await click(swap);
    await until(() => expect(swap.getAttribute("aria-disabled")).toBe("false"));
    await click(swap);
    await act(async () => history.pushState(null, "", SWAPPED_PAGE));
    await act(async () => root.render(pageOf({ from: "usdt-erc20", to: "dai-erc20" })));
    expect(location.pathname).toBe(SWAPPED_PAGE);
    expect(host.querySelector("h1")?.textContent).toMatch(/USDT.*DAI/);
  });

  it.each(["/nothing-here?x=1", "/exchange-eth-dai-erc20?amount=2"])(
    "is left alone by a page that was loaded late, when a person has gone on to %s",
    async (next) => {
      await act(async () => history.pushState(null, "", next));
      await show("eth");
      expect(location.pathname + location.search).toBe(next);
    },
  );
});
