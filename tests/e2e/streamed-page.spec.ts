import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/test.ts";

/** Where a slow network may leave a page for a while: what stands before the cut is painted before the rest has come. */
const CUTS = {
  "between two menus of the header": (html: string) => html.indexOf("</details>") + "</details>".length,
  "between two tabs": (html: string) => startOf(html, "w-tabs__tab", 4),
  "within a tab": (html: string) => html.indexOf("</svg>", startOf(html, "w-tabs__tab", 3)) + "</svg>".length,
};

const startOf = (html: string, className: string, nth: number): number => {
  const all = [...html.matchAll(new RegExp(`<a [^>]*${className}`, "g"))];
  return all[nth - 1]?.index ?? -1;
};

for (const [where, cutOf] of Object.entries(CUTS))
  test(`a page that comes in two parts, cut ${where}, stands still when the second one comes @phone`, async ({
    page,
    request,
  }) => {
    // Without its scripts: what moves is the markup's alone.
    const html = (await (await request.get("/")).text()).replace(/<script[\s\S]*?<\/script>/g, "");
    const cut = cutOf(html);
    expect(cut).toBeGreaterThan(1000);
    await using slow = await serveInParts(html.slice(0, cut), html.slice(cut));

    await page.goto(slow.url, { waitUntil: "commit" });
    await page.locator(".w-header summary").first().waitFor({ state: "attached" });
    await untilPainted(page);
    slow.sendRest();
    await page.waitForLoadState("load");

    await untilPainted(page);
    expect(await layoutShifts(page)).toEqual([]);
  });

type SlowServer = AsyncDisposable & { url: string; sendRest: () => void };

async function serveInParts(first: string, rest: string): Promise<SlowServer> {
  let sendRest = (): void => undefined;
  const server = createServer((request, response) => {
    if (request.url !== "/") {
      response.writeHead(204).end();
      return;
    }
    sendRest = () => response.end(rest);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).write(first);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    sendRest: () => sendRest(),
    [Symbol.asyncDispose]: () =>
      new Promise((done) => {
        server.close(() => done()).closeAllConnections();
      }),
  };
}

/** Two frames: what has come is on the screen. */
const untilPainted = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const layoutShifts = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((done) => {
        const shifts: string[] = [];
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push(JSON.stringify(entry));
        });
        observer.observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done([...shifts, ...observer.takeRecords().map((entry) => JSON.stringify(entry))]));
      }),
  );
