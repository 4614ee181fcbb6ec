import type { Page } from "@playwright/test";
import { isOrderOver } from "#contract/order-progress.ts";
import { Api } from "../support/http/api.ts";
import { DevnetRpc } from "../support/chains/devnet-rpc.ts";
import { readOrder } from "../support/scenarios/http-swap.ts";
import { makeOrderStates, type OrderState } from "../e2e/support/order-states.ts";
import { orderPath } from "../e2e/support/orders.ts";
import { test } from "../e2e/support/own-server.ts";
import { expect } from "../e2e/support/test.ts";
import type { Texts } from "../e2e/support/texts.ts";
import { accessibilityDefects } from "./accessible.ts";
import { layoutDefectsAt } from "./layout.ts";
import { SAID, tabStops } from "./order-trees.ts";
import { inEachView } from "./views.ts";

const WIDTHS = [320, 390, 768, 1280, 1920];

test.describe.configure({ mode: "default", timeout: 240_000 });
test.use({ serverOf: "order-states" });

let states: OrderState[];

test.beforeAll(async ({ server }) => {
  test.setTimeout(240_000);
  states = await makeOrderStates({ api: new Api(server.url), chain: new DevnetRpc(server.rpcUrl), server });
});

inEachView((shareOf) => {
  test("each state of an order says what it is, and hides nothing from anybody", async ({ page, open, texts, api }) => {
    for (const state of shareOf(states))
      await test.step(state.name, async () => {
        await open(orderPath(state.order));
        await expect(page.getByRole("main").getByText(state.said(texts.order)).first()).toBeVisible();
        await state.act?.(page, texts);
        const order = await readOrder(api, state.order);
        if (state.reason !== undefined) await expectReason(page, texts, order);
        expect.soft(await accessibilityDefects(page), state.name).toEqual([]);
        await expectSaid(page, texts, { ...state, order });
        const size = page.viewportSize();
        expect.soft(await layoutDefectsAt(page, WIDTHS), state.name).toEqual([]);
        if (size !== null) await page.setViewportSize(size);
      });
  });
});

/** What a screen reader finds, and where Tab leads, in states that somebody must act on. */
async function expectSaid(page: Page, { order: t }: Texts, { name, order }: OrderState): Promise<void> {
  const { tree, stops } = SAID[name] ?? {};
  if (tree !== undefined) await expect.soft(page.getByRole("main")).toMatchAriaSnapshot(tree(t, order));
  if (stops === undefined) return;
  const awaited = stops(t);
  expect
    .soft(
      (await tabStops(page)).filter((stop) => awaited.includes(stop)),
      name,
    )
    .toEqual(awaited);
}

/** Why the order is held, who or what it waits for, and until when. */
async function expectReason(page: Page, { order: t }: Texts, order: OrderState["order"]): Promise<void> {
  const { review, pair, refundAddress, userEmail } = order;
  if (review === null) throw new Error("the order is not held");
  const { reason, needed, until } = review;
  const note = page.locator(".w-order-review");
  await expect.soft(note).toContainText(t(`review.${reason}.title`));
  await expect.soft(note).toContainText(t(`review.${reason}.text`, { ticker: pair.instrumentFrom.currencyTitle }));
  // Nobody can ask a guest without an address where late coins go: the guest must say so.
  const isRecipientUnknown = reason === "LATE_DEPOSIT" && refundAddress === null && userEmail === null;
  if (isRecipientUnknown)
    await expect.soft(note.getByRole("link", { name: t("expired.write") })).toHaveAttribute("href", /\/support$/);
  else {
    const context = needed === "NETWORK" && isOrderOver(order) ? "done" : undefined;
    if (needed === "TOP_UP") await expect.soft(note).toContainText(topUpText(t));
    else await expect.soft(note).toContainText(t(`review.needed.${needed}`, { context }));
  }
  if (until === null) await expect.soft(note.locator("time")).toHaveCount(0);
  else await expect.soft(note.locator("time")).toHaveAttribute("datetime", until);
}

/** With whatever the refund's fee lacks now. */
const topUpText = (t: Texts["order"]): RegExp =>
  new RegExp(
    t("review.needed.TOP_UP", { context: "least", least: "SUM" })
      .replaceAll(/[.?]/g, String.raw`\$&`)
      .replace("SUM", String.raw`[\d.]+\s[A-Z]+`),
  );
