import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser } from "@playwright/test";
import { buildIfOld } from "./lib/build.ts";
import { BUDGETS } from "./lib/first-load.ts";
import { type AppServer, startApp } from "./bench/app-server.ts";
import { type Figure, isMissed } from "./bench/figure.ts";
import { runBench } from "./bench/run-bench.ts";
import { createOrder } from "./bench/sandbox-order.ts";
import { median } from "../server/base/median.ts";
import { startBarePage } from "./bench/web/bare-page.ts";
import { type AuditedPage, auditPages } from "./bench/web/lighthouse.ts";
import { offlineFirstPaint, visitedDevice } from "./bench/web/offline-paint.ts";
import { loadPage, openBrowser, type PageLoad } from "./bench/web/page-load.ts";
import { inlineStyleBytes, listFiles, sumTransfers, type TransferSums } from "./bench/web/transfers.ts";

const IDLE_RSS = 250_000_000;
const IDLE_MS = 5_000;
/** The kernel's clock ticks a second, in which /proc counts processor time. */
const TICKS = 100;
const LOADS = 3;
const OFFLINE_LOADS = 7;
const OFFLINE_PAINT_MS = 150;

const { values: options } = parseArgs({
  options: {
    /** Only budgets in bytes. */
    sizes: { type: "boolean", default: false },
    /** Only Lighthouse's audits. */
    lighthouse: { type: "boolean", default: false },
    /** Only pages whose name begins so; commas between several. */
    only: { type: "string", default: "" },
    /** Of Lighthouse, for each page. */
    runs: { type: "string", default: "10" },
  },
});
const isChosen = ({ name }: AuditedPage): boolean => options.only.split(",").some((start) => name.startsWith(start));

await runBench(async ({ resources, print }) => {
  await buildIfOld();
  const app = await startApp(resources);
  const idle = options.sizes || options.lighthouse ? [] : await idleFigures(app.pid);
  const browser = await openBrowser(resources);
  const { orderId, query } = await createOrder(app.url);
  const indexed = (path: string): AuditedPage => ({ name: path, url: app.url + path, isIndexed: true });
  const swap: AuditedPage[] = [
    indexed("/"),
    indexed("/exchange-eth-usdt-erc20"),
    { name: "/order/{id}", url: `${app.url}/order/${orderId}?${query}`, isIndexed: false },
  ];
  const read = ["/price/btc", "/blog/before-you-send", "/docs/confirmations"].map(indexed);
  const pages = [...swap, ...read].filter(isChosen);
  const audit = async () => {
    const audits = await auditPages(pages, await startBarePage(resources), Number(options.runs));
    for (const { heading, figures } of audits) print(heading, figures);
  };
  if (options.lighthouse) {
    await audit();
    return 0;
  }

  let isOver = false;
  for (const { name, url } of pages) {
    const { html, transfers } = await loadPage(browser, url, { isThrottled: false });
    const sizes = sizesOf(sumTransfers(transfers), inlineStyleBytes(html));
    print(`${name}: first load, brotli`, sizes);
    for (const line of listFiles(transfers)) console.log(line);
    isOver ||= sizes.some(isMissed);
  }
  if (options.sizes) return isOver ? 1 : 0;

  for (const { name, url } of pages)
    print(`${name}: slow 4G and a CPU slowed down 4 times, medians of ${LOADS}`, await timesOf(browser, url));
  print("server process, without its database and devnet", [
    ...idle,
    { name: "resident, after these loads", value: residentBytes(app.pid), unit: "MB" },
  ]);
  await audit();
  print(
    `offline, with the server stopped: first paint, medians of ${OFFLINE_LOADS}`,
    await offlineFigures(browser, app, swap),
  );
  return isOver ? 1 : 0;
});

async function idleFigures(pid: number): Promise<Figure[]> {
  await delay(IDLE_MS);
  const before = cpuTicks(pid);
  await delay(IDLE_MS);
  const share = ((cpuTicks(pid) - before) / TICKS / IDLE_MS) * 100_000;
  return [
    { name: "resident, idle", value: residentBytes(pid), unit: "MB", goal: { atMost: IDLE_RSS } },
    { name: "processor time, idle, percent of one core", value: share, unit: "" },
  ];
}

/** User and system time of a process, in clock ticks. */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

async function offlineFigures(browser: Browser, app: AppServer, pages: readonly AuditedPage[]): Promise<Figure[]> {
  const device = await visitedDevice(
    browser,
    pages.map(({ url }) => url),
  );
  await app.stop();
  const figures: Figure[] = [];
  for (const { name, url } of pages) {
    const paints: number[] = [];
    while (paints.length < OFFLINE_LOADS) paints.push(await offlineFirstPaint(device, url));
    figures.push({ name, value: median(paints), unit: "ms", goal: { atMost: OFFLINE_PAINT_MS } });
  }
  await device.close();
  return figures;
}

function sizesOf({ js, css, total, requests }: TransferSums, inlineCss: number): Figure[] {
  return [
    { name: "JS", value: js, unit: "kB", goal: { atMost: BUDGETS.js } },
    { name: "CSS, inline styles included", value: css + inlineCss, unit: "kB", goal: { atMost: BUDGETS.css } },
    { name: "all, with headers", value: total, unit: "kB" },
    { name: "requests", value: requests, unit: "" },
  ];
}

async function timesOf(browser: Browser, url: string): Promise<Figure[]> {
  const loads: PageLoad[] = [];
  for (let made = 0; made < LOADS; made += 1) loads.push(await loadPage(browser, url, { isThrottled: true }));
  const medianOf = (name: "fcp" | "lcp" | "tbt" | "cls") => median(loads.map(({ timings }) => timings[name]));
  return [
    { name: "FCP", value: medianOf("fcp"), unit: "ms" },
    { name: "LCP", value: medianOf("lcp"), unit: "ms" },
    { name: "TBT", value: medianOf("tbt"), unit: "ms" },
    { name: "CLS", value: medianOf("cls"), unit: "shift", goal: { atMost: 0 } },
  ];
}

/** The resident set of one process in bytes, without its children. */
function residentBytes(pid: number): number {
  const kilobytes =
    process.platform === "linux"
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).trim();
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kilobytes) * 1024;
}
