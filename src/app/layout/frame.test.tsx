import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DEFAULT_SITE_SETTINGS } from "#contract/site/ssr.ts";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import { type Route, routes } from "../router/route-table.ts";
import type { PageState } from "../router/use-page-state.ts";
import { Frame } from "./frame.tsx";

function Faulty(): never {
  throw new TypeError("Failed to fetch dynamically imported module");
}

const stateOf = (Page: () => React.ReactNode): PageState => ({
  view: {
    kind: "page",
    status: 200,
    route: routes[0] as Route,
    module: { Page, load: async () => ({ kind: "notFound" }), head: () => ({ title: "", description: "" }) },
    params: {},
    data: null,
  },
  path: "/",
  key: "/",
  now: "2026-11-21T12:00:00Z",
  isSandbox: true,
  isSignedIn: false,
  settings: DEFAULT_SITE_SETTINGS,
  health: "OK",
  requestHeaders: null,
});
const frame = (Page: () => React.ReactNode) => (
  <Frame pageState={stateOf(Page)} isLoading={false} retry={() => undefined} />
);

let view: View;
beforeEach(() => void vi.spyOn(console, "error").mockReturnValue());
afterEach(async () => {
  await view.unmount();
  vi.restoreAllMocks();
});

it("says that a page which throws couldn't be loaded, offers to load it again, and goes on to other pages", async () => {
  const reload = vi.spyOn(location, "reload").mockReturnValue();
  view = await render(frame(Faulty));
  expect(view.get("main h1").textContent).toBe("This page couldn’t be loaded");
  expect(view.get("header").textContent).toContain("Exchange");
  await settled(() =>
    [...view.container.querySelectorAll("main button")]
      .at(-1)
      ?.dispatchEvent(new MouseEvent("click", { bubbles: true })),
  );
  expect(reload).toHaveBeenCalledTimes(1);
  await view.rerender(frame(() => <p>another page</p>));
  expect(view.get("main").textContent).toBe("another page");
});

it("leads to buying and selling where cards are taken, and to the rest of the pages by a tablet's menu", async () => {
  const linksOf = (nav: string) =>
    [...view.container.querySelectorAll(`${nav} a`)]
      .map(({ textContent }) => textContent)
      .filter((text) => text !== "");
  view = await render(frame(() => null));
  const row = ["Exchange", "Orders", "Prices", "Affiliate", "API", "Blog", "Support"];
  expect(linksOf(".w-header__nav")).toEqual(row);
  const menu = linksOf(".w-header__menu");
  expect(menu).toEqual([
    "Exchange",
    "Popular pairs",
    "Orders",
    "Prices",
    "Affiliate",
    "API",
    "Docs",
    "Blog",
    "Support",
  ]);
  const withCards = { ...stateOf(() => null), settings: { ...DEFAULT_SITE_SETTINGS, isCardTaken: true } };
  await view.rerender(<Frame pageState={withCards} isLoading={false} retry={() => undefined} />);
  expect(linksOf(".w-header__nav")).toEqual(row.toSpliced(1, 0, "Buy and sell"));
  const link = [...view.container.querySelectorAll(".w-header__nav a")].find(
    ({ textContent }) => textContent === "Buy and sell",
  );
  expect(link?.getAttribute("href")).toBe("/?send=usd");
});
