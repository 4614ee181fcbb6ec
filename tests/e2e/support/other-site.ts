import type { Frame, Page } from "@playwright/test";

/** What a page of another site heard from its window, as its script saw it. */
export type Heard = { readonly origin: string; readonly data: unknown };

type Hearing = { heard: Heard[]; events: [type: string, detail: unknown][] };

/** Written down by the page itself, from before anything else of it runs. */
function listen(): void {
  const page = globalThis as unknown as Hearing;
  Object.assign(page, { heard: [], events: [] });
  addEventListener("message", ({ origin, data }) => page.heard.push({ origin, data }));
  for (const type of ["ready", "order-created", "order-updated"])
    addEventListener(`wherry:${type}`, (event) => page.events.push([type, (event as CustomEvent).detail]));
}

/** Opens a page of another site, at a true origin of its own, with this in its body. */
export async function openOtherSite(page: Page, origin: string, body: string): Promise<void> {
  // A public page may frame one of this computer when its reader allows it.
  await page.context().grantPermissions(["local-network-access"], { origin });
  const html = `<!doctype html><html lang="en"><title>A shop</title><meta name="viewport" content="width=device-width"><body>${body}`;
  await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.addInitScript(`if (self === top && !("heard" in self)) (${listen.toString()})();`);
  await page.goto(`${origin}/`);
}

/** The widget in a page's first frame, once it answers to its reader: a press before that opens the site in a new tab. */
export async function widgetIn(page: Page): Promise<Frame> {
  const element = await page.waitForSelector("iframe");
  const frame = await element.contentFrame();
  if (frame === null) throw new Error("the widget has no frame");
  await untilItAnswers(frame);
  return frame;
}

/** The same where the widget is the whole page. */
export async function untilItAnswers(widget: Page | Frame): Promise<void> {
  await widget.waitForFunction(() => {
    const action = document.querySelector("main .w-action");
    return action !== null && Object.keys(action).some((key) => key.startsWith("__reactProps"));
  });
}

export const heardBy = (page: Page): Promise<Heard[]> => page.evaluate(() => (globalThis as unknown as Hearing).heard);

export const eventsOf = (page: Page): Promise<[type: string, detail: unknown][]> =>
  page.evaluate(() => (globalThis as unknown as Hearing).events);
