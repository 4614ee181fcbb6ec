import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageContext } from "../../../shared/page/page-context.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { sampleOrder } from "../testing/sample-order.ts";
import { HistoryPage } from "./history-page.tsx";

const ACCOUNT = {
  userId: 7,
  email: "ann@mail.example",
  isEmailConfirmed: true,
  permissions: "USER",
  adminPermissionsScope: null,
  isTelegramLinked: false,
  hasSecondFactor: false,
  createdAt: "2026-01-01T00:00:00.000Z",
} as const;
const TOTAL = 45;
const ORDER = sampleOrder([]);

let view: View;
let isWide = true;
let asked: URLSearchParams[] = [];
const text = () => view.container.textContent.replace(/\s/g, " ");
const tableOf = () => view.container.querySelector("table");

const until = (isThere: () => boolean) =>
  // The client loads with the first call.
  vi.waitFor(
    async () => {
      await settled();
      expect(isThere()).toBe(true);
    },
    { timeout: 10_000 },
  );

async function open(): Promise<void> {
  const { hook, searchHook } = memoryLocation({ path: "/profile/history" });
  view = await render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, errorRetryCount: 0 }}>
      <PageContext value={{ data: null, now: "2026-11-21T12:00:00.000Z", isSandbox: true }}>
        <Router hook={hook} searchHook={searchHook}>
          <HistoryPage account={ACCOUNT} />
        </Router>
      </PageContext>
    </SWRConfig>,
  );
  await until(() => text().includes("1–20 of 45"));
}

beforeEach(() => {
  localStorage.clear();
  asked = [];
  vi.stubGlobal("matchMedia", () => ({
    matches: isWide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal("fetch", async (request: Request) => {
    const { searchParams } = new URL(request.url);
    asked.push(searchParams);
    return Response.json({ items: [ORDER], total: searchParams.has("search") ? 1 : TOTAL });
  });
});
afterEach(async () => {
  await view.unmount();
  vi.unstubAllGlobals();
});

test("where there is room, orders are rows of a table, each opened by its number", async () => {
  isWide = true;
  await open();
  expect([...(tableOf()?.querySelectorAll("thead th") ?? [])].map((cell) => cell.textContent.trim())).toEqual([
    "Created ↓",
    "Order",
    "You sent",
    "You got",
    "Rate",
    "Status",
  ]);
  const link = tableOf()?.querySelector("a");
  expect(link?.textContent).toBe(ORDER.reference);
  expect(link?.getAttribute("href")).toContain(ORDER.orderId);
});

test("on a phone they are a list", async () => {
  isWide = false;
  await open();
  expect(tableOf()).toBeNull();
  expect(view.container.querySelectorAll(".w-orders__row")).toHaveLength(1);
});

test("a page is opened by its number, and shown from its start", async () => {
  isWide = true;
  await open();
  const list = view.get(".w-history");
  const scroll = vi.spyOn(list, "scrollIntoView");
  const pages = [...view.container.querySelectorAll<HTMLElement>(".w-history__page")];
  expect(pages.map((page) => page.textContent)).toEqual(["1", "2", "3"]);
  expect(pages[0]?.getAttribute("aria-current")).toBe("page");
  await settled(() => pages[2]?.click());
  await until(() => text().includes("41–45 of 45"));
  expect(asked.at(-1)?.get("offset")).toBe("40");
  expect(scroll).toHaveBeenCalledWith({ block: "start" });
  expect(document.activeElement).toBe(list);
});

test("what is typed is searched for once, when the typing pauses, and stays off the device", async () => {
  isWide = true;
  await open();
  const before = asked.length;
  const field = view.container.querySelector<HTMLInputElement>("input[type=search]");
  const type = async (typed: string) =>
    settled(() => {
      // React's own setter would take the text for one that it has seen.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, typed);
      field?.dispatchEvent(new Event("input", { bubbles: true }));
    });
  await type("e");
  await type("eth ");
  await until(() => text().includes("1–1 of 1"));
  expect(asked.slice(before).map((query) => query.get("search"))).toEqual(["eth"]);
  expect(localStorage.getItem("wherry-account-seen")).not.toContain("search");
});
