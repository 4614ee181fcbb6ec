import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser } from "@playwright/test";
import { buildIfOld } from "./lib/build.ts";
import { BUDGETS } from "./lib/first-load.ts";
import { startApp } from "./bench/app-server.ts";
import { isMissed, type Figure } from "./bench/figure.ts";
import { lighthouse, THROTTLING } from "./bench/lighthouse.ts";
import { residentBytes } from "./bench/process-memory.ts";
import { runBench } from "./bench/run-bench.ts";
import { createOrder } from "./bench/sandbox-order.ts";
import { median } from "./bench/statistics.ts";
import { listFiles, sumTransfers } from "./bench/transfers.ts";
import { openBrowser, visit, type Visit } from "./bench/visit.ts";

const IDLE_RSS = 250_000_000;
const SETTLES_MS = 5_000;
const VISITS = 3;

const { values: options } = parseArgs({
  options: {
    /** Only what has a budget in bytes. */
    sizes: { type: "boolean", default: false },
    lighthouse: { type: "boolean", default: false },
  },
});

type PageToVisit = { name: string; path: string; isCalculator: boolean };

await runBench(async ({ resources, print }) => {
  await buildIfOld();
  const app = await startApp(resources);
  const idleRss = options.sizes ? Number.NaN : await idleBytes(app.pid);
  const browser = await openBrowser(resources);
  const { orderId, query } = await createOrder(app.url);
  const pages: PageToVisit[] = [
    { name: "/", path: "/", isCalculator: true },
    { name: "/exchange-eth-usdt-erc20", path: "/exchange-eth-usdt-erc20", isCalculator: true },
    { name: "/order/{id}", path: `/order/${orderId}?${query}`, isCalculator: false },
  ];

  let isOver = false;
  for (const page of pages) {
    const { transfers } = await visit(browser, app.url + page.path, { isThrottled: false });
    const sizes = sizesOf(page, sumTransfers(transfers));
    print(`${page.name}: first load, brotli`, sizes);
    for (const line of listFiles(transfers)) console.log(line);
    isOver ||= sizes.some(isMissed);
  }
  if (options.sizes) return isOver ? 1 : 0;

  for (const page of pages)
    print(
      `${page.name}: slow 4G and a processor slowed down 4 times, medians of ${VISITS}`,
      await timesOf(browser, app.url + page.path),
    );
  print("server process, without its database and devnet", [
    { name: "resident, idle", value: idleRss, unit: "MB", goal: { atMost: IDLE_RSS } },
    { name: "resident, after these visits", value: residentBytes(app.pid), unit: "MB" },
  ]);
  if (options.lighthouse)
    for (const page of pages.filter(({ isCalculator }) => isCalculator))
      for (const throttling of THROTTLING)
        print(`${page.name}: Lighthouse mobile, ${throttling}`, await lighthouse(app.url + page.path, throttling));
  return isOver ? 1 : 0;
});

async function idleBytes(pid: number): Promise<number> {
  await delay(SETTLES_MS);
  return residentBytes(pid);
}

function sizesOf({ isCalculator }: PageToVisit, sums: ReturnType<typeof sumTransfers>): Figure[] {
  const { js, css, total, requests } = sums;
  return [
    { name: "JS", value: js, unit: "kB", ...(isCalculator && { goal: { atMost: BUDGETS.js } }) },
    { name: "CSS", value: css, unit: "kB", ...(isCalculator && { goal: { atMost: BUDGETS.css } }) },
    { name: "all, with headers", value: total, unit: "kB" },
    { name: "requests", value: requests, unit: "" },
  ];
}

async function timesOf(browser: Browser, url: string): Promise<Figure[]> {
  const visits: Visit[] = [];
  for (let made = 0; made < VISITS; made += 1) visits.push(await visit(browser, url, { isThrottled: true }));
  const middle = (name: "fcp" | "lcp" | "tbt" | "cls") => median(visits.map(({ timings }) => timings[name]));
  return [
    { name: "FCP", value: middle("fcp"), unit: "ms" },
    { name: "LCP", value: middle("lcp"), unit: "ms" },
    { name: "TBT", value: middle("tbt"), unit: "ms" },
    { name: "CLS", value: middle("cls"), unit: "shift" },
  ];
}
