import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser } from "@playwright/test";
import { buildIfOld } from "./lib/build.ts";
import { BUDGETS } from "./lib/first-load.ts";
import { type AppServer, startApp } from "./bench/app-server.ts";
import { isMissed, type Figure } from "./bench/figure.ts";
import { lighthouse, RUNS } from "./bench/lighthouse.ts";
import { deviceThatKnows, firstPaintOffline } from "./bench/offline-visit.ts";
import { residentBytes } from "./bench/process-memory.ts";
import { runBench } from "./bench/run-bench.ts";
import { createOrder } from "./bench/sandbox-order.ts";
import { median } from "./bench/statistics.ts";
import { heldStyleBytes, listFiles, sumTransfers, type TransferSums } from "./bench/transfers.ts";
import { openBrowser, visit, type Visit } from "./bench/visit.ts";

const IDLE_RSS = 250_000_000;
const SETTLES_MS = 5_000;
const VISITS = 3;
const OFFLINE_VISITS = 7;
const OFFLINE_PAINT_MS = 150;

const { values: options } = parseArgs({
  options: {
    /** Only what has a budget in bytes. */
    sizes: { type: "boolean", default: false },
  },
});

type PageToVisit = { name: string; path: string; isIndexed: boolean };

await runBench(async ({ resources, print }) => {
  await buildIfOld();
  const app = await startApp(resources);
  const idleRss = options.sizes ? Number.NaN : await idleBytes(app.pid);
  const browser = await openBrowser(resources);
  const { orderId, query } = await createOrder(app.url);
  const pages: PageToVisit[] = [
    { name: "/", path: "/", isIndexed: true },
    { name: "/exchange-eth-usdt-erc20", path: "/exchange-eth-usdt-erc20", isIndexed: true },
    { name: "/order/{id}", path: `/order/${orderId}?${query}`, isIndexed: false },
  ];

  let isOver = false;
  for (const page of pages) {
    const { html, transfers } = await visit(browser, app.url + page.path, { isThrottled: false });
    const sizes = sizesOf(sumTransfers(transfers), heldStyleBytes(html));
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
  for (const { name, path, isIndexed } of pages)
    print(`${name}: Lighthouse mobile, medians of ${RUNS}`, await lighthouse({ url: app.url + path, isIndexed }));
  print(
    `offline, with the server stopped: first paint, medians of ${OFFLINE_VISITS}`,
    await offlineFigures(browser, app, pages),
  );
  return isOver ? 1 : 0;
});

async function idleBytes(pid: number): Promise<number> {
  await delay(SETTLES_MS);
  return residentBytes(pid);
}

async function offlineFigures(browser: Browser, app: AppServer, pages: readonly PageToVisit[]): Promise<Figure[]> {
  const urls = pages.map(({ path }) => app.url + path);
  const device = await deviceThatKnows(browser, urls);
  await app.stop();
  const figures: Figure[] = [];
  for (const [index, { name }] of pages.entries()) {
    const paints: number[] = [];
    while (paints.length < OFFLINE_VISITS) paints.push(await firstPaintOffline(device, urls[index] ?? ""));
    figures.push({ name, value: median(paints), unit: "ms", goal: { atMost: OFFLINE_PAINT_MS } });
  }
  await device.close();
  return figures;
}

function sizesOf({ js, css, total, requests }: TransferSums, held: number): Figure[] {
  return [
    { name: "JS", value: js, unit: "kB", goal: { atMost: BUDGETS.js } },
    { name: "CSS, with what the page holds", value: css + held, unit: "kB", goal: { atMost: BUDGETS.css } },
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
    { name: "CLS", value: middle("cls"), unit: "shift", goal: { atMost: 0 } },
  ];
}
