import { chromium, type Browser, type Page, type Request } from "@playwright/test";
import { requireChromium } from "../../lib/chromium.ts";
import { OBSERVE_TIMINGS, READ_TIMINGS, readTimings, type PageTimings } from "./page-timings.ts";
import type { Transfer } from "./transfers.ts";

export type PageLoad = { html: string; transfers: Transfer[]; timings: PageTimings };

const IDLE_WITHIN_MS = 90_000;
export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

/** A middle-class phone on slow 4G, as Lighthouse applies it (`--throttling-method=devtools`). */
const CPU_SLOWDOWN = 4;
const bytesPerSecond = (kilobits: number): number => (kilobits * 1024) / 8;
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: bytesPerSecond(1_474.56),
  uploadThroughput: bytesPerSecond(675),
};

export async function openBrowser(resources: AsyncDisposableStack): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  resources.defer(() => browser.close());
  return browser;
}

/** A first load with an empty cache, until the network is idle. */
export async function loadPage(browser: Browser, url: string, options: { isThrottled: boolean }): Promise<PageLoad> {
  const context = await browser.newContext({ ...PHONE, locale: "en-US" });
  try {
    const page = await context.newPage();
    await page.addInitScript({ content: OBSERVE_TIMINGS });
    if (options.isThrottled) await throttle(page);
    const requests: Request[] = [];
    context.on("requestfinished", (request) => requests.push(request));
    const answer = await page.goto(url, { waitUntil: "networkidle", timeout: IDLE_WITHIN_MS });
    if (answer?.status() !== 200) throw new Error(`${new URL(url).pathname} answered ${answer?.status()}`);
    const timings = readTimings(await page.evaluate(READ_TIMINGS));
    return { html: await answer.text(), timings, transfers: await Promise.all(requests.map(toTransfer)) };
  } finally {
    await context.close();
  }
}

async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
}

async function toTransfer(request: Request): Promise<Transfer> {
  const response = await request.response();
  const headers = response?.headers() ?? {};
  const sizes = await request.sizes();
  // Chromium counts nothing of a file that another request was already bringing.
  const bytes = Number(headers["content-length"] ?? sizes.responseBodySize);
  return {
    path: new URL(request.url()).pathname,
    contentType: headers["content-type"] ?? "",
    contentEncoding: headers["content-encoding"] ?? null,
    bytes,
    allBytes: sizes.requestHeadersSize + sizes.requestBodySize + sizes.responseHeadersSize + bytes,
    byWorker: request.serviceWorker() !== null,
  };
}
