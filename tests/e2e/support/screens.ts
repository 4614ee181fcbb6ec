import type { Frame, Locator, Page } from "@playwright/test";
import type { Texts } from "./texts.ts";

/** The calculator, as a reader finds its parts. */
export function calculatorOf(page: Page | Frame, { exchange: t }: Texts) {
  const root = page.getByRole("region", { name: t("calculator.label") });
  return {
    root,
    send: root.getByLabel(t("calculator.send"), { exact: true }),
    getAbout: root.getByLabel(t("calculator.getAbout"), { exact: true }),
    getExactly: root.getByLabel(t("calculator.getExactly"), { exact: true }),
    sendCoin: root.getByRole("button", { name: t("calculator.chooseSend") }),
    getCoin: root.getByRole("button", { name: t("calculator.chooseGet") }),
    swap: root.getByRole("button", { name: t("calculator.swap") }),
    fixed: root.getByRole("radio", { name: t("rateMode.fixed") }),
    floating: root.getByRole("radio", { name: t("rateMode.floating") }),
    proceed: root.getByRole("link", { name: t("calculator.continue"), exact: true }),
  };
}

/** The network is that of the address. */
type Tickers = { readonly send: string; readonly get: string; readonly network?: string };

/** The step before the order. */
export function destinationOf(
  page: Page | Frame,
  { exchange: t }: Texts,
  { send, get, network = "Ethereum" }: Tickers,
) {
  return {
    title: page.getByRole("heading", { name: t("destination.title", { ticker: get }) }),
    address: page.getByLabel(t("destination.address", { ticker: get, network })),
    tag: page.getByLabel(t("destination.tag")),
    noMemo: page.getByRole("checkbox", { name: t("destination.noMemo", { context: "tag" }) }),
    paste: page.getByRole("button", { name: t("destination.paste") }).first(),
    refund: page.getByLabel(t("destination.refund", { ticker: send, network })),
    terms: page.getByRole("checkbox", { name: t("destination.terms") }),
    create: page.getByRole("button", { name: t("destination.create") }),
  };
}

/** The order's page, from its deposit to its receipt. */
export function orderOf(page: Page | Frame, { order: t }: Texts) {
  const step = (name: "send" | "processing" | "completed"): Locator =>
    page
      .getByRole("list", { name: t("steps.label") })
      .getByRole("listitem")
      .filter({ hasText: t(`steps.${name}`) });
  return {
    step,
    pay: page.getByRole("button", { name: t("sandbox.pay") }),
    sentToYou: page.getByRole("heading", { name: t("receipt.sentToYou") }),
    delivered: page.locator(".w-order-receipt__sum"),
    reference: page.locator(".w-order__reference strong"),
  };
}

/** The orders saved on the device. */
export function ordersOf(page: Page | Frame, { common, order: t }: Texts) {
  return {
    tab: page.getByRole("navigation").getByRole("link", { name: common("nav.orders"), exact: true }),
    title: page.getByRole("heading", { level: 1, name: t("list.title") }),
    rows: page.locator(".w-orders__row"),
    edit: page.getByRole("button", { name: t("list.edit") }),
    forget: (reference: string) => page.getByRole("button", { name: t("list.forget", { reference }) }),
    dialog: page.getByRole("dialog"),
    id: page.getByLabel(t("lookup.id")),
    find: page.getByRole("button", { name: t("lookup.find") }),
  };
}

/** The decimal of a displayed amount, `1 492.3 USDT` → `1492.3`. */
export const decimalOf = (text: string): string => text.replace(/\s/g, "").replace(/[^\d.].*$/, "");

/** A customer's choices when a fixed rate has ended, or when a deposit is to be refunded. */
export function choiceOf(page: Page | Frame, { order: t }: Texts) {
  const beginning = (texts: string) => new RegExp(`^${texts.trim()}`);
  return {
    accept: page.getByRole("radio", { name: beginning(t("choice.accept")) }),
    refund: page.getByRole("radio", { name: beginning(t("choice.getRefund")) }),
    undecided: page.getByRole("button", { name: t("choice.none") }),
    doAccept: page.getByRole("button", { name: beginning(t("choice.do", { amount: "" })) }),
    doRefund: page.getByRole("button", { name: new RegExp(`^${t("refund.do", { amount: "" }).trim()} \\d`) }),
    tooLittle: (received: string) => {
      const [until = ""] = t("attention.BELOW_MINIMUM.title", { received, expected: "#" }).split("#");
      return page.getByRole("region", { name: until });
    },
    getRefund: page.getByRole("button", { name: t("refund.ask"), exact: true }),
    instead: page.getByRole("button", { name: t("refund.instead") }),
    address: page.locator("#refund-address"),
    returned: page.getByRole("heading", { name: t("receipt.returned") }),
  };
}
