import { localePath, LOCALES } from "#contract/locale.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { startApp } from "./bench/app-server.ts";
import { untilHydrated } from "./bench/web/hydrated.ts";
import { createOrder } from "./bench/sandbox-order.ts";
import { openBrowser } from "./bench/web/page-load.ts";
import { buildIfOld } from "./lib/build.ts";

/** Takes the screenshots of the manifests, of the built app in its sandbox; run it by hand when screens change. */
const FOLDER = join(import.meta.dirname, "../public/screenshots");
const QUALITY = 82;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 };

type Shot = { name: string; path: string; screen: typeof PHONE | typeof DESKTOP };

await using resources = new AsyncDisposableStack();
await buildIfOld();
mkdirSync(FOLDER, { recursive: true });
const app = await startApp(resources);
const browser = await openBrowser(resources);
const { orderId, query } = await createOrder(app.url);
const shots: Shot[] = [
  { name: "calculator", path: "/exchange-eth-usdt-erc20?amount=0.5", screen: PHONE },
  { name: "order", path: `/order/${orderId}?${query}`, screen: PHONE },
  { name: "home", path: "/", screen: DESKTOP },
];
for (const locale of LOCALES) {
  for (const { name, path, screen } of shots) {
    const address = app.url + localePath(locale, path).replace(/\/$/, "");
    writeFileSync(join(FOLDER, `${locale}-${name}.webp`), await take(browser, address, screen));
  }
}

async function take(browser: Browser, address: string, screen: Shot["screen"]): Promise<Buffer> {
  const context = await browser.newContext({ ...screen, reducedMotion: "reduce", colorScheme: "light" });
  try {
    const page = await context.newPage();
    await page.goto(address, { waitUntil: "networkidle" });
    await untilHydrated(page);
    return await webpOf(page, screen);
  } finally {
    await context.close();
  }
}

/** Playwright itself knows only PNG and JPEG. */
async function webpOf(page: Page, { viewport, deviceScaleFactor }: Shot["screen"]): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, ...viewport, scale: deviceScaleFactor };
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: QUALITY, clip });
  return Buffer.from(data, "base64");
}
