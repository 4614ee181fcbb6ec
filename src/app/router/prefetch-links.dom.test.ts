import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createI18n } from "../../shared/i18n/create-i18n.ts";
import { prefetchLinks } from "./prefetch-links.ts";
import type { Route } from "./route-table.ts";

const loaded = vi.hoisted((): string[] => []);
vi.mock("./load-route.ts", () => ({
  loadRoute: async ({ name }: Route) => {
    loaded.push(name);
    if (name === "popular") throw new TypeError("Failed to fetch dynamically imported module");
  },
}));

const LINKS = ["/orders", "/popular-exchanges", "/ru/orders", "/nothing", "https://elsewhere.example/orders"];
const over = async (href: string, sign = "pointerover") => {
  const icon = document.querySelector(`a[href="${href}"] i`);
  icon?.dispatchEvent(new Event(sign, { bubbles: true }));
  await new Promise((resolve) => setTimeout(resolve));
};
const connect = (connection: object | undefined) =>
  Object.defineProperty(navigator, "connection", { value: connection, configurable: true });

prefetchLinks(createI18n("en", {}));

beforeEach(() => {
  vi.spyOn(console, "debug").mockReturnValue();
  document.body.innerHTML = LINKS.map((href) => `<a href="${href}"><i>to</i></a>`).join("");
  loaded.length = 0;
});
afterEach(() => {
  connect(undefined);
  vi.restoreAllMocks();
});

describe("a page's code", () => {
  it("is not loaded ahead over a slow connection, for who saves data, or offline", async () => {
    connect({ effectiveType: "3g" });
    await over("/orders");
    connect({ effectiveType: "4g", saveData: true });
    await over("/orders");
    connect({ effectiveType: "4g" });
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await over("/orders");
    expect(loaded).toEqual([]);
  });

  it("is loaded once, when a link to it is pointed at or focused", async () => {
    await over("/orders", "focusin");
    await over("/orders");
    expect(loaded).toEqual(["orders"]);
  });

  it("is loaded again when that failed", async () => {
    await over("/popular-exchanges");
    await over("/popular-exchanges");
    expect(loaded).toEqual(["popular", "popular"]);
  });

  it.each(LINKS.slice(2))("is not loaded for %s", async (href) => {
    await over(href);
    expect(loaded).toEqual([]);
  });
});
