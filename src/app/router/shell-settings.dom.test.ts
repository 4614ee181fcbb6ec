import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DEFAULT_SITE_SETTINGS } from "#contract/site/ssr.ts";
import { saveSite, type Site, writePageData } from "./page-data.ts";

const NOTHING_KNOWN: Site = { isSandbox: false, settings: DEFAULT_SITE_SETTINGS };
const SITE: Site = {
  isSandbox: true,
  settings: { ...DEFAULT_SITE_SETTINGS, partnerCode: "partner", isCardTaken: true, rateLockMinutes: 15 },
};
const PAGE =
  `<!doctype html><meta name="sandbox-token" content="a-token"><div id="root"></div>` +
  `<script type="application/json" id="page-data">${writePageData({ ...SITE, now: "today" })}</script>`;

let answer: () => Promise<Response>;
const pages = vi.fn<typeof fetch>(() => answer());
let shell: typeof import("./shell-settings.ts");
beforeEach(async () => {
  vi.resetModules();
  shell = await import("./shell-settings.ts");
  answer = async () => new Response(PAGE);
  vi.stubGlobal("fetch", pages);
});
afterEach(() => {
  localStorage.clear();
  pages.mockClear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
const isOnline = (value: boolean) => vi.spyOn(navigator, "onLine", "get").mockReturnValue(value);

it("the offline shell has the settings of the last page that the server rendered", () => {
  expect(shell.shellSite()).toEqual(NOTHING_KNOWN);
  saveSite(SITE);
  expect(shell.shellSite()).toEqual(SITE);
});

it.each([
  ["text"],
  ['{"isSandbox":true}'],
  [JSON.stringify({ ...SITE, settings: { ...SITE.settings, partnerCode: 5 } })],
])("the offline shell takes nothing from %s", (stored) => {
  localStorage.setItem("site", stored);
  expect(shell.shellSite()).toEqual(NOTHING_KNOWN);
});

it("the offline shell fetches the settings once the network is back, and once only", async () => {
  const online = isOnline(false);
  const apply = vi.fn<(site: Site) => void>();
  shell.followSite(apply);
  expect(pages).not.toHaveBeenCalled();

  online.mockReturnValue(true);
  dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(apply).toHaveBeenCalledExactlyOnceWith(SITE));
  expect(shell.shellSite()).toEqual(SITE);
  expect(document.querySelector("meta[name=sandbox-token]")?.getAttribute("content")).toBe("a-token");

  dispatchEvent(new Event("online"));
  shell.followSite(apply);
  expect(pages).toHaveBeenCalledOnce();
});

it("the offline shell asks again with the next navigation where a server didn't answer", async () => {
  isOnline(true);
  const debug = vi.spyOn(console, "debug").mockImplementation(() => undefined);
  answer = async () => new Response("busy", { status: 503 });
  const apply = vi.fn<(site: Site) => void>();
  const end = shell.followSite(apply);
  await vi.waitFor(() => expect(debug).toHaveBeenCalled());
  end();
  expect(apply).not.toHaveBeenCalled();

  answer = async () => new Response(PAGE);
  shell.followSite(apply);
  await vi.waitFor(() => expect(apply).toHaveBeenCalledExactlyOnceWith(SITE));
});
