import {
  expect,
  type APIRequestContext,
  type BrowserContext,
  type FrameLocator,
  type Locator,
  type Page,
} from "@playwright/test";
import { dialogOf, PASSWORD } from "./accounts.ts";
import type { Person } from "./person.ts";
import { calculatorOf, destinationOf } from "./screens.ts";
import type { Texts } from "./texts.ts";

/** The sandbox's provider, as people know it. */
export const PROVIDER = { provider: "Mercuryo" };
/** Its bank's code, and the code of a card that the bank refuses. */
const BANK_CODE = "123456";
export const REFUSED_CVV = "555";

/** The calculator and the step before an order by card. */
export function cardFormOf(page: Page, texts: Texts) {
  const { exchange: t } = texts;
  const calculator = calculatorOf(page, texts);
  const terms = (key: "card.termsBuy" | "card.termsSell") => page.getByRole("checkbox", { name: t(key, PROVIDER) });
  return {
    ...calculator,
    kind: (name: "exchange" | "buy" | "sell") => page.getByRole("radio", { name: t(`kind.${name}`), exact: true }),
    pay: calculator.root.getByLabel(t("calculator.pay"), { exact: true }),
    address: destinationOf(page, texts, { send: "USD", get: "USDT" }).address,
    termsBuy: terms("card.termsBuy"),
    termsSell: terms("card.termsSell"),
    create: page.getByRole("button", { name: t("destination.create") }),
  };
}

/** The windows of the check and of the payment, and the order's page. */
export function cardWindowsOf(page: Page, { card, order: t }: Texts) {
  const check = page.getByRole("dialog", { name: card("window.title", PROVIDER) });
  const payment = page.getByRole("dialog", { name: t("card.buy.windowTitle", PROVIDER) });
  const naming = page.getByRole("dialog", { name: t("card.sell.windowTitle", PROVIDER) });
  return {
    check,
    checkFrame: check.frameLocator("iframe"),
    cancelCheck: check.getByRole("button", { name: card("window.cancel"), exact: true }),
    waiting: (name: "email" | "check") => check.getByText(card(`waiting.${name}`)),
    payment,
    openPayment: payment.getByRole("link", { name: t("card.buy.open"), exact: true }),
    naming,
    openNaming: naming.getByRole("link", { name: t("card.sell.open"), exact: true }),
  };
}

/** What a link opens in a tab of its own. */
export async function tabOf(context: BrowserContext, press: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([context.waitForEvent("page"), press()]);
  await tab.waitForLoadState();
  return tab;
}

/** Pays on the provider's page, or is refused there. */
export async function payAtProvider(tab: Page, cvv?: string): Promise<void> {
  if (cvv !== undefined) await tab.getByLabel(/^CVV/).fill(cvv);
  await tab.getByRole("button", { name: /^Pay / }).click();
  if (cvv === undefined) {
    await tab.getByLabel("Code").fill(BANK_CODE);
    await tab.getByRole("button", { name: "Confirm", exact: true }).click();
  }
  await expect(tab.getByRole("status")).toBeVisible();
}

/** Makes an account in the register dialog that is open. */
export async function registerIn(page: Page, texts: Texts, person: Person, email: string): Promise<void> {
  const { account } = texts;
  const dialog = dialogOf(page, texts);
  await expect(dialog.titled(account("register.title"))).toBeVisible();
  await person.type(dialog.email, email);
  await person.type(dialog.password, PASSWORD);
  await person.type(dialog.field(account("field.passwordConfirm")), PASSWORD);
  await person.tick(page.getByRole("dialog").getByRole("checkbox"));
  await person.press(dialog.button(account("register.submit")));
}

/** Opens the link of the provider's mail and confirms the email there. */
export async function confirmEmail(context: BrowserContext, request: APIRequestContext, email: string): Promise<void> {
  let link = "";
  await expect(async () => {
    const mails = (await (await request.get("/sandbox/mail")).json()) as unknown[];
    const text = mails
      .map((mail) => JSON.stringify(mail))
      .filter((mail) => mail.includes(email) && mail.includes("/sandbox/mercuryo/email"))
      .join("\n");
    link = /https?:[^"\s\\]+\/sandbox\/mercuryo\/email\?[^"\s\\<]+/.exec(text)?.[0] ?? "";
    expect(link).not.toBe("");
  }).toPass();
  const tab = await context.newPage();
  await tab.goto(link);
  await tab.getByRole("button", { name: "Confirm email" }).click();
  await expect(tab.getByRole("status")).toBeVisible();
  await tab.close();
}

/** A button of the provider's page, in a frame or a tab: by its key where the mouse is left alone. */
export const pressInFrame = async (frame: FrameLocator, name: string): Promise<void> => {
  const button: Locator = frame.getByRole("button", { name, exact: true });
  await button.focus();
  await button.press("Enter");
};
