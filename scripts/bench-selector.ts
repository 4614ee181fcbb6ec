import type { Browser, CDPSession, Page } from "@playwright/test";
import type { Instrument } from "#contract/instrument.ts";
import { untilHydrated } from "./bench/web/hydrated.ts";
import { startApp } from "./bench/app-server.ts";
import { type Figure, isMissed } from "./bench/figure.ts";
import { manyInstruments, pairsOf } from "./bench/web/many-instruments.ts";
import { runBench } from "./bench/run-bench.ts";
import { median } from "../server/base/median.ts";
import { quantile } from "./bench/statistics.ts";
import { openBrowser } from "./bench/web/page-load.ts";
import { buildIfOld } from "./lib/build.ts";

const INSTRUMENTS = 2_000;
const BUDGET_MS = 50;
const ROUNDS = 3;

/** By name, ticker, network and contract address; each letter narrows the list, Backspace brings all of it back. */
const QUERIES = ["dollar", "usdt", "solana", "0xaaaaaaaaaa", "no such coin"];
const typed = QUERIES.flatMap((query) => query.split("").concat(Array<string>(query.length).fill("Backspace")));
const walked = ["End", "ArrowUp", "PageUp", "Home", ...Array.from({ length: 20 }, () => "ArrowDown"), "PageDown"];

/** Notes for each key how long it takes from its press until the frame after its work is painted. */
const OBSERVE_KEYS = `
  globalThis.keyTimes = [];
  addEventListener("keydown", (event) => {
    const painted = new MessageChannel();
    painted.port1.onmessage = () => keyTimes.push(performance.now() - event.timeStamp);
    requestAnimationFrame(() => painted.port2.postMessage(null));
  }, { capture: true });
  globalThis.paintedKeys = (count) => new Promise((done) => {
    const check = () => (keyTimes.length >= count ? done() : setTimeout(check, 4));
    check();
  });
`;

await runBench(async ({ resources, print }) => {
  await buildIfOld();
  const app = await startApp(resources);
  const browser = await openBrowser(resources);
  let isOver = false;
  for (const slowdown of [1, 4]) {
    const page = await openSelector(browser, app.url);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    // The first run is slow once; a person's first key is too.
    const first = await keyTimings(page, ["e", "Backspace"]);
    const workBefore = await workOf(devtools);
    const times: Record<"typing" | "walking", number[]> = { typing: [], walking: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.typing.push(...(await keyTimings(page, typed)));
      times.walking.push(...(await keyTimings(page, walked)));
    }
    const keys = times.typing.length + times.walking.length;
    const work = ((await workOf(devtools)) - workBefore) / keys;
    const isJudged = slowdown === 1;
    const figures = [
      { name: "first key", value: first[0] ?? Number.NaN, unit: "ms" } as const,
      ...figuresOf("typing to painted", times.typing, isJudged),
      ...figuresOf("arrows, pages, ends", times.walking, isJudged),
      { name: "the page's own work for a key, mean", value: work, unit: "ms" } as const,
    ];
    const processor = isJudged ? "this machine" : `a processor slowed down ${slowdown} times`;
    print(`the list of ${INSTRUMENTS} coins on ${processor}, ${times.typing.length} letters`, figures);
    isOver ||= figures.some(isMissed);
    await page.context().close();
  }
  return isOver ? 1 : 0;
});

/** Milliseconds of processor time that the page's main thread has taken: other programs' shares are not in it. */
async function workOf(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
}

function figuresOf(name: string, times: number[], isJudged: boolean): Figure[] {
  const most = quantile(times, 0.95);
  return [
    { name: `${name}, median`, value: median(times), unit: "ms" },
    { name: `${name}, 95 %`, value: most, unit: "ms", ...(isJudged && { goal: { atMost: BUDGET_MS } }) },
    { name: `${name}, worst`, value: Math.max(...times), unit: "ms" },
  ];
}

/** The receiving coin's list, with the search in focus and a catalogue of thousands. */
async function openSelector(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript({ content: OBSERVE_KEYS });
  // A page that comes with a catalogue has the server's; the one after it asks for its own, and gets the big one.
  await page.goto(`${url}/orders`);
  await untilHydrated(page);
  const real = (await (await fetch(`${url}/api/v2/instruments/public`)).json()) as Instrument[];
  const all = manyInstruments(real, INSTRUMENTS);
  await page.route("**/api/v2/instruments/public*", (route) => route.fulfill({ json: all }));
  await page.route("**/api/v2/pairs/public*", (route) => route.fulfill({ json: pairsOf(real, all) }));
  await page.getByRole("banner").getByRole("link", { name: "Wherry" }).click();
  await page.getByRole("button", { name: "Choose the coin you get" }).click();
  await page.getByRole("combobox").focus();
  const listed = await page.getByRole("option").first().getAttribute("aria-setsize");
  if (Number(listed) < INSTRUMENTS - 1) throw new Error(`the list holds ${listed} coins, not ${INSTRUMENTS}`);
  return page;
}

/** Presses keys one after another, each after the last one is painted; gives their times in milliseconds. */
async function keyTimings(page: Page, keys: readonly string[]): Promise<number[]> {
  await page.evaluate("keyTimes = []");
  for (const [index, key] of keys.entries()) {
    await page.keyboard.press(key);
    await page.evaluate(`paintedKeys(${index + 1})`);
  }
  return page.evaluate<number[]>("keyTimes");
}
