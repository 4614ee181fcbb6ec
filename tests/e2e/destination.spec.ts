import type { Page, Response, Route } from "@playwright/test";
import type { Order } from "#contract/order.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { flow } from "./support/flow.ts";
import { muteSocket } from "./support/slow-network.ts";
import { destinationOf, orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";
import type { Texts } from "./support/texts.ts";

const RATE = "**/api/v2/rates/public/one?*";
const CREATE = "**/api/v1/orders/public/create";
const STEP = "/exchange-eth-usdt-erc20?amount=0.5&step=destination";
const FIXED = `${STEP}&mode=fixed`;
const XRP_ADDRESS = "rHUXsy2URzd2dN2e7uNb3sKBkLECU34LtY";
/** As the server of these tests is started with. */
const PARTNER_CODE = "partner";
const COINS = { send: "ETH", get: "USDT" };

/** The pair asks for emails in this mode, as with `ckm` in the catalogue (spec §4). */
async function askForEmails(page: Page, ckm: "A" | "B"): Promise<void> {
  await muteSocket(page);
  await page.route(RATE, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ckm } });
  });
  // A fixed quote that the page came with is kept while it holds.
  await page.route(/\/exchange-/, async (route) => {
    if (route.request().resourceType() !== "document") return route.fallback();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('"ckm":"D"', `"ckm":"${ckm}"`);
    await route.fulfill({ response, body });
  });
}

function emailOf(page: Page, { exchange: t }: Texts) {
  const dialog = page.getByRole("dialog", { name: t("email.title") });
  return {
    dialog,
    field: dialog.getByLabel(t("email.label"), { exact: true }),
    create: dialog.getByRole("button", { name: t("destination.create") }),
    skip: dialog.getByRole("button", { name: t("email.skip") }),
  };
}

async function openAsked(page: Page, open: (path: string) => Promise<void>, path: string): Promise<void> {
  const asked = page.waitForResponse(RATE);
  await open(path);
  await asked;
}

/** The order after a refusal; waited for while its form is still opened and filled. */
async function createdAtLast(page: Page): Promise<Order> {
  const isCreated = (response: Response) => response.url().endsWith("/create") && response.ok();
  const answer = await page.waitForResponse(isCreated, { timeout: 60_000 });
  return answer.json();
}

const created = async (page: Page): Promise<Order> => (await page.waitForResponse(CREATE)).json();

flow(
  "every error at once, then an order with an email that is remembered, or without one",
  async ({ page, open, person, texts }) => {
    const t = texts.exchange;
    await askForEmails(page, "A");
    await openAsked(page, open, FIXED);
    const step = destinationOf(page, texts, COINS);
    await person.press(step.create);
    await expect(page.getByText(t("destination.attention", { count: 3 }))).toBeVisible();
    await expect(page.getByText(t("blocker.addressEmpty", { ticker: "USDT" }))).toBeVisible();
    await expect(page.getByText(t("blocker.refundEmpty", { ticker: "ETH" }))).toBeVisible();
    await expect(page.getByText(t("blocker.terms"))).toBeVisible();
    await expect(step.address).toBeFocused();

    const address = randomAddress();
    await person.type(step.address, address);
    await person.type(step.refund, address);
    await person.tick(step.terms);
    await expect(page.getByText(t("blocker.refundSame"))).toBeVisible();
    await person.press(step.create);
    await expect(page.getByText(t("destination.attention", { count: 1 }))).toBeVisible();
    await expect(step.refund).toBeFocused();
    await person.type(step.refund, randomAddress());
    await person.press(step.create);

    const email = emailOf(page, texts);
    await expect(email.field).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(email.dialog).toBeHidden();
    await expect(step.create).toBeFocused();
    await person.press(step.create);
    await expect(email.field).toBeFocused();
    await person.type(email.field, "ann+list@mail");
    await expect(email.field).toHaveValue("annlist@mail");
    await expect(email.dialog.getByText(texts.common("emailPlus"))).toBeVisible();
    await person.press(email.create);
    await expect(email.dialog.getByText(t("email.EMAIL_VALIDATION_ERROR"))).toBeVisible();
    await expect(email.field).toBeFocused();
    await expectAccessible(page);
    await person.type(email.field, "ann@mail.example");
    const [order] = await Promise.all([created(page), person.press(email.create)]);
    expect(order.userEmail).toBe("ann@mail.example");
    await expect(orderOf(page, texts).pay).toBeVisible();

    await openAsked(page, open, STEP);
    await expect(page.getByRole("paragraph").filter({ hasText: "ann@mail.example" })).toBeVisible();
    await expectAccessible(page);
    await person.press(page.getByRole("button", { name: t("email.forget") }));
    await person.type(step.address, address);
    await person.tick(step.terms);
    await person.press(step.create);
    const [unasked] = await Promise.all([created(page), person.press(email.skip)]);
    expect(unasked.userEmail).toBeNull();
    await expect(orderOf(page, texts).pay).toBeVisible();
  },
);

flow(
  "a coin with tags is sent with one, or without where the address needs none",
  async ({ page, open, person, texts, context }) => {
    const t = texts.exchange;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open("/exchange-eth-xrp?amount=0.5&step=destination");
    const step = destinationOf(page, texts, { send: "ETH", get: "XRP", network: "XRP Ledger" });
    await person.type(step.address, `${XRP_ADDRESS.slice(0, -1)}Z`);
    await expect(page.getByText(t("blocker.addressIncorrect", { ticker: "XRP" }))).toBeVisible();
    await person.tick(step.terms);
    await person.press(step.create);
    await expect(page.getByText(t("destination.attention", { count: 2 }))).toBeVisible();
    await expect(step.tag).toHaveAccessibleDescription(t("blocker.memoEmpty", { context: "tag" }));

    // A payment link holds both the address and the tag.
    await page.evaluate((text) => navigator.clipboard.writeText(text), `xrpl:${XRP_ADDRESS}?dt=2049183714`);
    await person.press(step.paste);
    await expect(step.address).toHaveValue(XRP_ADDRESS);
    await expect(step.tag).toHaveValue("2049183714");
    await expect(page.getByText(t("destination.addressValid", { ticker: "XRP" }))).toBeVisible();
    await expectAccessible(page);
    let creations = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/orders/public/create")) creations += 1;
    });
    const [tagged] = await Promise.all([created(page), person.pressTwice(step.create)]);
    expect(tagged).toMatchObject({ destinationAddress: XRP_ADDRESS, destinationAddressMemo: "2049183714" });
    await expect(orderOf(page, texts).pay).toBeVisible();
    expect(creations).toBe(1);

    await open("/exchange-eth-xrp?amount=0.5&step=destination");
    await person.type(step.address, XRP_ADDRESS);
    await person.tick(step.noMemo);
    await expect(step.tag).toBeDisabled();
    await person.tick(step.terms);
    const [untagged] = await Promise.all([created(page), person.press(step.create)]);
    expect(untagged.destinationAddressMemo).toBeNull();
  },
);

flow(
  "visitors of the partner alone are asked for an email, and an unknown referral is cleared",
  async ({ page, open, person, texts, problems, context }) => {
    problems.expect({ url: "/orders/public/create", as: 404 });
    problems.expectSaid(/the order was not created/);
    const referrers: unknown[] = [];
    await askForEmails(page, "B");
    await page.route(CREATE, async (route) => {
      const { referrerId } = route.request().postDataJSON() as { referrerId: unknown };
      referrers.push(referrerId);
      const unknown = { status: "ERR_NOT_FOUND", message: "referrerAffiliateId is unknown", traceId: "t" };
      await (referrerId === null ? route.continue() : route.fulfill({ status: 404, json: unknown }));
    });
    const referral = async () => (await context.cookies()).find(({ name }) => name === "referralID")?.value;
    const step = destinationOf(page, texts, COINS);
    const fill = async (ref: string) => {
      await openAsked(page, open, `${STEP}&ref=${ref}`);
      expect(await referral()).toBe(ref);
      await person.type(step.address, randomAddress());
      await person.tick(step.terms);
      await person.press(step.create);
    };

    await fill(PARTNER_CODE);
    const email = emailOf(page, texts);
    await expect(email.field).toBeFocused();
    await person.type(email.field, "ann@mail.example");
    const [, order] = await Promise.all([person.press(email.create), createdAtLast(page)]);
    expect(order.userEmail).toBe("ann@mail.example");
    expect(referrers).toEqual([PARTNER_CODE, null]);
    expect(await referral()).toBeUndefined();

    const [unasked] = await Promise.all([createdAtLast(page), fill("someone")]);
    expect(unasked.userEmail).toBeNull();
    expect(referrers.slice(2)).toEqual(["someone", null]);
  },
);

flow("a reload while the order is being created goes on with the same order", async ({ page, open, person, texts }) => {
  const sent: { key: string | undefined; body: unknown }[] = [];
  const orders: string[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route(CREATE, async (route: Route) => {
    const request = route.request();
    sent.push({ key: request.headers()["idempotency-key"], body: request.postDataJSON() });
    const response = await route.fetch();
    orders.push(((await response.json()) as Order).orderId);
    // The service has made the order; its first answer never comes.
    if (sent.length === 1) return;
    await gate.promise;
    await route.fulfill({ response });
  });
  await open(STEP);
  const step = destinationOf(page, texts, COINS);
  await person.type(step.address, randomAddress());
  await person.tick(step.terms);
  await person.press(step.create);
  await expect(page.getByRole("button", { name: texts.exchange("destination.creating") })).toBeVisible();
  await expect.poll(() => orders).toHaveLength(1);

  await page.reload();
  await expect(page).toHaveURL(/\/order\/pending$/);
  const title = page.getByRole("heading", { level: 1, name: texts.exchange("pending.title") });
  await expect(title).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(title).toBeVisible();
  gate.resolve();
  await expect(orderOf(page, texts).pay).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/order/${orders[0]}\\?`));
  expect(new Set(orders).size).toBe(1);
  for (const one of sent) expect(one).toEqual(sent[0]);
});

test(
  "a refusal after a lost answer is shown on the form",
  { tag: "@phone" },
  async ({ page, open, texts, problems }) => {
    problems.expect({ url: "/orders/public/create", as: 403 });
    problems.expect({ url: "/orders/public/create", as: "failed" });
    problems.expectSaid(/the order was not created/);
    const refusal = { status: "ERR_FORBIDDEN", message: "Client data is blacklisted", traceId: "t" };
    let calls = 0;
    await page.route(CREATE, (route) => {
      calls += 1;
      return calls === 1 ? route.abort("connectionrefused") : route.fulfill({ status: 403, json: refusal });
    });
    await open(STEP);
    const step = destinationOf(page, texts, COINS);
    const address = randomAddress();
    await step.address.fill(address);
    await step.terms.check();
    await step.create.click();
    await expect(page.getByText(texts.exchange("creation.blacklisted"))).toBeVisible({ timeout: 30_000 });
    await expect(step.address).toHaveValue(address);
    await page.goto("/order/pending");
    await expect(page.getByRole("heading", { name: texts.order("pending.title") })).toBeVisible();
  },
);

test("address validation causes no layout shift under the pointer", async ({ page, open, person, texts }) => {
  const verdict = Promise.withResolvers<void>();
  await page.route("**/validate-address", async (route) => {
    await verdict.promise;
    await route.continue();
  });
  await open(STEP);
  const step = destinationOf(page, texts, COINS);
  await person.type(step.address, randomAddress());
  await expect(step.address).toBeFocused();
  const before = await step.terms.boundingBox();
  verdict.resolve();
  await expect(page.getByText(texts.exchange("destination.addressValid", { ticker: COINS.get }))).toBeVisible();
  expect(await step.terms.boundingBox()).toEqual(before);
});
