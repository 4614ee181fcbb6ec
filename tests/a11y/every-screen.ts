import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import type { Api } from "../support/http/api.ts";
import { dialogOf, newEmail, register, signIn, thisDevice } from "../e2e/support/accounts.ts";
import { signInWith } from "../e2e/support/earnings.ts";
import { newOrder, orderPath, untilOrderSaved } from "../e2e/support/orders.ts";
import { calculatorOf, destinationOf, orderOf, ordersOf } from "../e2e/support/screens.ts";
import { widgetIn } from "../e2e/support/other-site.ts";
import type { Problems } from "../e2e/support/problems.ts";
import { test } from "../e2e/support/test.ts";
import type { Texts } from "../e2e/support/texts.ts";

export type Walk = {
  readonly page: Page;
  readonly open: (path: string) => Promise<void>;
  readonly texts: Texts;
  readonly problems: Problems;
  readonly api: Api;
};

/** Comes to a screen and waits until it is there. */
type Show = (walk: Walk) => Promise<void>;

const at =
  (path: string): Show =>
  ({ open }) =>
    open(path);

const listOfCoins: Show = async ({ page, open, texts }) => {
  await open("/");
  await calculatorOf(page, texts).getCoin.click();
  await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
};

const menu =
  (which: "first" | "last"): Show =>
  async ({ page, open }) => {
    await open("/");
    // The pages' own menu is there from 600 to 1023 px.
    const menus = page.locator("header summary").filter({ visible: true });
    await menus[which]().click();
  };

const step = "/exchange-eth-xrp?amount=0.5&mode=fixed&step=destination";

/** Beside the text where there is room, else a sheet. */
const docsMenu: Show = async ({ page, open, texts }) => {
  await open("/docs/fixed-and-floating-rates");
  const menu = page.getByRole("button", { name: texts.content("docs.menu") });
  if (await menu.isVisible()) await menu.click();
  await expect(page.getByRole("navigation", { name: texts.content("docs.title") })).toBeVisible();
};

const apiReference: Show = async ({ page, open, texts }) => {
  await open("/docs/api");
  await page
    .locator("summary", { hasText: texts.api("try.open") })
    .first()
    .click();
  await expect(page.getByRole("button", { name: texts.api("try.keyFirst") }).first()).toBeVisible();
};

const answersFound: Show = async ({ page, open, texts }) => {
  await open("/support");
  await page.getByRole("searchbox", { name: texts.info("support.search") }).fill("memo");
  await page.locator(".w-question-list summary").first().click();
};

const supportWithErrors: Show = async ({ page, open, texts: { info } }) => {
  await open("/support");
  await page.getByRole("button", { name: info("form.send") }).click();
  await expect(page.locator("#contact-email-error")).toBeVisible();
};

const authoritiesWithErrors: Show = async ({ page, open, texts: { info } }) => {
  await open("/for-competent-authorities");
  await page.getByRole("button", { name: info("form.sendRequest") }).click();
  await expect(page.locator("#authority-file-error")).toBeVisible();
};

const stepWithErrors: Show = async ({ page, open, texts }) => {
  await open(step);
  await destinationOf(page, texts, { send: "ETH", get: "XRP" }).create.click();
  await expect(page.getByText(texts.exchange("blocker.terms"))).toBeVisible();
};

const scanner =
  (lookForCamera: (page: Page) => Promise<void>, said: "denied" | "looking"): Show =>
  async ({ page, open, texts }) => {
    await open(step);
    await lookForCamera(page);
    await page.getByRole("button", { name: texts.exchange("destination.scan"), exact: true }).click();
    const dialog = page.getByRole("dialog", { name: texts.exchange("scan.title") });
    await expect(dialog.getByText(texts.exchange(`scan.${said}`))).toBeVisible();
  };

const withoutPermission = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const refusal = new DOMException("Permission denied", "NotAllowedError");
    navigator.mediaDevices.getUserMedia = () => Promise.reject(refusal);
  });

/** A camera whose picture is grey. */
const withCamera = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const picture = document.createElement("canvas");
    const drawing = picture.getContext("2d");
    // A stream has a frame for each change alone.
    setInterval(() => drawing?.fillRect(0, 0, 9, 9), 100);
    navigator.mediaDevices.getUserMedia = async () => picture.captureStream();
  });

const orderToPay: Show = async ({ page, open, texts, api }) => {
  await open(orderPath(await newOrder(api)));
  await expect(orderOf(page, texts).pay).toBeVisible();
};

const ordersEdited: Show = async ({ page, open, texts, api }) => {
  const order = await newOrder(api);
  await open(orderPath(order));
  await untilOrderSaved(page, order);
  await open("/orders");
  await ordersOf(page, texts).edit.click();
};

const orderForgotten: Show = async (walk) => {
  await ordersEdited(walk);
  const { page, texts } = walk;
  await page.locator(".w-orders__row").first().waitFor();
  await page
    .getByRole("button", { name: new RegExp(texts.order("list.forget", { reference: ".+" })) })
    .first()
    .click();
  await expect(ordersOf(page, texts).dialog).toBeVisible();
};

const notFound =
  (path: string): Show =>
  async ({ open, problems }) => {
    problems.expect({ url: new RegExp(path), as: 404 });
    await open(path);
  };

/** Its page asks how far the order is, by the id alone. */
const unknownOrder: Show = async (walk) => {
  walk.problems.expect({ url: "/api/v1/orders/public/state", as: 404 });
  await notFound(`/order/${"A".repeat(22)}`)(walk);
};

const lookUpWithError: Show = async (walk) => {
  await unknownOrder(walk);
  const { page, texts } = walk;
  await page.getByRole("button", { name: texts.order("lookup.find") }).click();
  await expect(page.getByText(texts.order("lookup.addressEmpty"))).toBeVisible();
};

const refundNotStopped: Show = async ({ page, open, texts, problems }) => {
  problems.expect({ url: "/stop-refund", as: 404 });
  await open("/stop-refund#orderId=7KQ4M2XD7KQ4M2XD7KQ4M2XD&token=none");
  await page.getByRole("button", { name: texts.order("stop.do") }).click();
  await expect(page.getByRole("heading", { name: texts.order("stop.unknown.title") })).toBeVisible();
};

/** Signed in, at one step of the check of an identity. */
const verification =
  (steps: number): Show =>
  async ({ page, open, texts: { verification: t } }) => {
    const data = { email: `screen-${randomUUID()}@example.com`, password: "kTw9-mZr4-qXp2" };
    const users = "/api/v1/users/local";
    // Another person than on the screen before, with a form of their own.
    await page.context().clearCookies();
    await page.evaluate(() => location.protocol !== "about:" && localStorage.removeItem("wherry-account"));
    expect((await page.request.post(`${users}/create`, { data })).status()).toBe(201);
    expect((await page.request.post(`${users}/authenticate`, { data })).status()).toBe(200);
    await open("/profile/verification");
    const next = page.getByRole("button", { name: t("next"), exact: true });
    const acts = [
      () => page.getByRole("button", { name: t("status.start"), exact: true }).click(),
      () => page.getByLabel(t("RESIDENTIAL.country")).selectOption("NO"),
      () => next.click(),
      () => page.getByRole("radio", { name: t("TYPE_ID.idcard") }).check(),
      () => next.click(),
      () => next.click(),
      async () => {
        await page.getByLabel(t("PERSONAL_INFO.firstName"), { exact: true }).fill("Marit");
        await page.getByLabel(t("PERSONAL_INFO.lastName"), { exact: true }).fill("Larsen");
        await page.getByLabel(t("PERSONAL_INFO.birthDate"), { exact: true }).fill("1990-04-02");
        await page.getByLabel(t("PERSONAL_INFO.identityNumber"), { exact: true }).fill("48 213 907");
        await page.getByRole("checkbox", { name: t("PERSONAL_INFO.noEnd") }).check();
      },
      () => next.click(),
      () => next.click(),
    ];
    await expect(page.getByRole("heading", { level: 2, name: t("status.NOT_STARTED") })).toBeVisible();
    for (const act of acts.slice(0, steps)) await act();
  };

const pageThatFails: Show = async ({ page, open, texts, problems }) => {
  problems.expect({ url: "/instruments/public", as: 500 });
  await open("/");
  await page.route("**/api/v2/instruments/public?*", (route) => route.fulfill({ status: 500, body: "{}" }));
  await calculatorOf(page, texts).proceed.click();
  await expect(page.getByRole("heading", { level: 1, name: texts.common("failed.title") })).toBeVisible();
};

/** A page of somebody who has much in the wallet, and stays signed in. */
const earner =
  (path: string, then: Show = async () => undefined): Show =>
  async (walk) => {
    await signInWith(walk.page, walk.api, "123456.123456");
    await walk.open(path);
    await expect(walk.page.locator(".w-earnings__head")).toBeVisible();
    await then(walk);
  };

const withdrawalWithErrors: Show = async ({ page }) => {
  await page.locator(".w-withdraw [type=submit]").click();
  await expect(page.locator("#withdraw-address-error")).toBeVisible();
};

const referralCode: Show = async ({ page, texts }) => {
  await page.getByRole("button", { name: texts.earnings("link.qr"), exact: true }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
};

const maintenance: Show = async ({ page, open, texts }) => {
  await page.route("**/api/v1/health", (route) => route.fulfill({ json: { status: "TECHNICAL_DIFFICULTIES" } }));
  await open("/");
  const title = page.getByRole("heading", { level: 1, name: texts.common("down.title") });
  await expect(title).toBeVisible({ timeout: 20_000 });
};

const updateOffered: Show = async ({ page, open, texts }) => {
  await page.route("**/builds/latest.json?*", (route) => route.fulfill({ json: { id: "next" } }));
  await open("/");
  await page.mouse.move(5, 5);
  await expect(page.locator(".w-toast", { hasText: texts.common("update.title") })).toBeVisible();
};

/** A page of the profile, of somebody new. Later screens are seen by who is signed in. */
const profile =
  (name: string): Show =>
  async ({ page, open }) => {
    // Without the session of a screen before: a call of a program that carries one is refused without its origin.
    await page.context().clearCookies({ name: /^(?:access|refresh)$/ });
    const email = newEmail();
    await register(page.request, email);
    await signIn(page, email);
    await open(`/profile/${name}`);
    await expect(page.locator("h1.w-profile__title")).toBeVisible();
  };

const newApiKey: Show = async (walk) => {
  await profile("keys")(walk);
  const { page, texts } = walk;
  const dialog = dialogOf(page, texts);
  await page.getByRole("button", { name: texts.account("keys.create"), exact: true }).click();
  await dialog.field(texts.account("keys.name")).fill("Shop checkout");
  await dialog.button(texts.account("keys.add.submit")).click();
  await expect(page.getByRole("heading", { name: texts.account("keys.made") })).toBeVisible();
};

const LINKS_WITH_VALUE = 6;

/** Waits for what the list says of each page, which is asked for where the list is a page of its own. */
async function everyLinkValue(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 800 });
  const values = page.locator(".w-profile__side nav .w-profile__value").filter({ hasText: /\S/ });
  await expect(values).toHaveCount(LINKS_WITH_VALUE);
  if (size !== null) await page.setViewportSize(size);
}

/** Every screen but those of an order that was paid, which `order-states.spec.ts` walks. */
const SCREENS = {
  home: at("/"),
  "the list of coins": listOfCoins,
  "the list of coins, without a find": async (walk) => {
    await listOfCoins(walk);
    await walk.page.getByRole("dialog").getByRole("combobox").fill("no such coin");
    await expect(walk.page.getByText(walk.texts.exchange("selector.nothingHint"))).toBeVisible();
  },
  "the first menu": menu("first"),
  "the last menu": menu("last"),
  "the popular exchanges": at("/popular-exchanges"),
  "prices of all coins": at("/price"),
  "the price of a coin": at("/price/eth"),
  "the page of the widget": async ({ page, open, texts }) => {
    await open("/widget");
    const widget = await widgetIn(page);
    await expect(calculatorOf(widget, texts).getAbout).toHaveValue(/\d/);
    // What fades in has less contrast until then.
    for (const frame of [page, widget]) await frame.evaluate(untilStill);
  },
  "the blog": at("/blog"),
  "an article of the blog": at("/blog/before-you-send"),
  "the docs": at("/docs"),
  "an article of the docs": at("/docs/confirmations"),
  "the menu of the docs": docsMenu,
  "the reference of the API": apiReference,
  "the page of the API": at("/swap-api"),
  "how the exchange works": at("/how-it-works"),
  "the roadmap": at("/roadmap"),
  "what affiliates get": at("/affiliate"),
  "what cashback is": at("/cashback"),
  "what the wallet is": at("/wallet"),
  "the terms": at("/terms"),
  "the privacy page": at("/privacy"),
  "the rules against money laundering": at("/aml"),
  "the support": answersFound,
  "the support with the errors of its form": supportWithErrors,
  "the page for authorities": authoritiesWithErrors,
  "an amount under the minimum": async ({ page, open, texts }) => {
    await open("/exchange-eth-usdt-erc20?amount=0.000123456789012345");
    await expect(calculatorOf(page, texts).send).toHaveAttribute("aria-invalid", "true");
  },
  "an amount over the maximum": at("/exchange-usdt-erc20-eth?amount=99999999.5"),
  "a long amount at a fixed rate": at("/exchange-usdt-erc20-eth?amount=123456.123456&mode=fixed"),
  "the destination step": at(step),
  "the destination step with its errors": stepWithErrors,
  "the scanner without its permission": scanner(withoutPermission, "denied"),
  "the scanner": scanner(withCamera, "looking"),
  "an order that waits for its deposit": orderToPay,
  "an order that isn't created yet": at("/order/pending"),
  "no orders": at("/orders"),
  "orders, edited": ordersEdited,
  "an order to forget": orderForgotten,
  "an order that can't be found": unknownOrder,
  "the look-up with its error": lookUpWithError,
  "the page that stops a refund": at("/stop-refund"),
  "a refund that isn't stopped": refundNotStopped,
  "the wallet": earner("/profile/wallet"),
  "the cashback": earner("/profile/cashback"),
  "the affiliate programme": earner("/profile/affiliate-program"),
  "the QR code of a referral link": earner("/profile/affiliate-program", referralCode),
  "the withdrawals": earner("/profile/withdraw"),
  "a withdrawal with its errors": earner("/profile/withdraw", withdrawalWithErrors),
  "a check of an identity that is not started": verification(0),
  "the kinds of document": verification(3),
  "the details of a document, with errors": verification(6),
  "the photos of a document": verification(9),
  "nothing at an address": notFound(`/nothing-here-${"x".repeat(80)}`),
  "a page that can't be loaded": pageThatFails,
  "a service that is down": maintenance,
  "the offer of a new build": updateOffered,
  "the profile": async (walk) => {
    await profile("info")(walk);
    await expect(thisDevice(walk.page, walk.texts)).toBeVisible();
    await everyLinkValue(walk.page);
  },
  "an account without orders": async (walk) => {
    await profile("history")(walk);
    await expect(walk.page.getByText(walk.texts.order("history.empty"))).toBeVisible();
  },
  "a new API key": newApiKey,
} as const satisfies Record<string, Show>;

type ScreenName = keyof typeof SCREENS;

export const SCREEN_NAMES = Object.keys(SCREENS) as ScreenName[];

/** Waits until nothing holds the place of what is still loading: what comes between two measurements is seen by one of them alone. */
const untilFilled = (page: Page): Promise<void> =>
  expect(page.locator(".w-skeleton, [aria-busy=true]").filter({ visible: true })).toHaveCount(0);

/** Comes to each of the screens and collects what `defectsOf` finds there. */
export async function defectsOfScreens(
  walk: Walk,
  names: readonly ScreenName[],
  defectsOf: (page: Page) => Promise<readonly string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names)
    await test.step(name, async () => {
      await SCREENS[name](walk);
      await untilFilled(walk.page);
      for (const defect of await defectsOf(walk.page)) found.push(`${name}: ${defect}`);
      await walk.page.unrouteAll({ behavior: "ignoreErrors" });
    });
  return found;
}

const untilStill = async (): Promise<void> => {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
};
