import type { Page } from "@playwright/test";
import type { Order } from "#contract/order.ts";
import type { Texts } from "../e2e/support/texts.ts";
import { beginning, escaped, node } from "./tree.ts";

type T = Texts["order"];
type Said = {
  /** What a screen reader finds in the page's main part. */
  readonly tree: (t: T, order: Order) => string;
  /** Controls in the order in which Tab reaches them. */
  readonly stops?: (t: T) => string[];
};

/** A text whose spaces may be of any width. */
const spaced = (text: string): RegExp => new RegExp(escaped(text).replaceAll(/\s/g, "\\s"));

const attentionTitle = (t: T, { attention }: Order): RegExp => {
  if (attention === null) throw new Error("nothing is asked of this order's customer");
  const { reason, received, expected } = attention;
  return spaced(t(`attention.${reason}.title`, { received: `${received} ETH`, expected: `${expected} ETH` }));
};

/** By the state's name: those in which a customer decides, waits or is done. */
export const SAID: Readonly<Record<string, Said>> = {
  "under the minimum": {
    tree: (t, order) => `
      - article:
        ${node("region", attentionTitle(t, order))}:
          ${node("group", t("attention.group"))}:
            ${node("heading", t("attention.topUp"), "level=2")}
            ${node("button", t("address.copy"))}
            ${node("heading", t("refund.ask"), "level=2")}
            ${node("button", t("refund.ask"))}
    `,
    stops: (t) => [t("address.copy"), t("refund.ask")],
  },
  "over the maximum": {
    tree: (t, order) => `
      - article:
        ${node("region", attentionTitle(t, order))}:
          ${node("group", t("attention.group"))}:
            ${node("heading", t("refund.ask"), "level=2")}
            ${node("button", t("refund.ask"))}
    `,
  },
  "the choice of rates": {
    tree: (t) => `
      - article:
        ${node("region", t("choice.title"))}:
          ${node("radiogroup", t("choice.group"))}:
            ${node("radio", beginning(t("choice.accept")))}
            ${node("radio", beginning(t("choice.getRefund")))}
    `,
  },
  expired: {
    tree: (t) => `
      - article:
        ${node("link", t("expired.again"))}
    `,
  },
  "held: PAYMENTS_STOPPED": {
    tree: (t) => `
      - article:
        - paragraph: ${JSON.stringify(t("review.PAYMENTS_STOPPED.title"))}
        ${node("heading", t("ring.held"), "level=2")}
    `,
  },
  "the refund is on its way": {
    tree: (t) => `
      - article:
        ${node("heading", t("refund.sent"), "level=2")}
        - term: ${JSON.stringify(t("refund.to"))}
    `,
  },
  "the receipt of a refund": {
    tree: (t) => `
      - article:
        ${node("heading", t("receipt.returned"))}
    `,
  },
};

const MAX_STOPS = 40;

/** The names of all controls of the main part that Tab reaches, in this order. */
export async function tabStops(page: Page): Promise<string[]> {
  await page.locator("#main").focus();
  const stops: string[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const { activeElement: at } = document;
      return at?.closest("main") ? (at.getAttribute("aria-label") ?? (at as HTMLElement).innerText).trim() : null;
    });
    if (name === null) break;
    stops.push(name);
  }
  return stops;
}
