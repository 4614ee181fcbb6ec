import type { Page, Route } from "@playwright/test";
import { randomAddress } from "../support/http-swap.ts";
import { muteSocket } from "./support/hold.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { calculatorOf, destinationOf, orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

const RATE = "**/api/v2/rates/public/one?*";
const CREATE = "**/api/v1/orders/public/create";
const INFO = "**/api/v1/orders/public-info?*";
const STEP = "/exchange-eth-usdt-erc20?amount=0.5&step=destination";

/** The API's answers come after 3 s, break, or never come. */
const slowly = async (route: Route) => {
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await route.continue();
};
const broken = (route: Route) =>
  route.fulfill({
    status: 500,
    json: { status: "ERR_INTERNAL_SERVER_ERROR", message: "Internal server error", traceId: "t", data: {} },
  });
const gone = (route: Route) => route.abort("connectionrefused");

test("a slow rate leaves what was typed, and comes", async ({ page, open, person, words }) => {
  await muteSocket(page);
  await page.route(RATE, slowly);
  await open("/exchange-eth-usdt-erc20");
  const { root, send, getAbout } = calculatorOf(page, words);
  await person.type(send, "0.5");
  await expect(getAbout).toHaveValue("");
  await expect(root.locator(".w-amount-card__skeleton")).toBeVisible();
  await expect(send).toHaveValue("0.5");
  await expect(getAbout).toHaveValue(/^1\s\d{3}/);
});

for (const [name, fail, as] of [
  ["that breaks", broken, 500],
  ["that is gone", gone, "failed"],
] as const) {
  test(
    `a rate ${name} says so, and loads when asked again`,
    { tag: "@desktop" },
    async ({ page, open, person, words, problems }) => {
      problems.expect({ url: "/rates/public/one", as });
      await muteSocket(page);
      await page.route(RATE, fail);
      await open("/exchange-eth-usdt-erc20");
      const { root, send, getAbout } = calculatorOf(page, words);
      await person.type(send, "0.5");
      await expect(root.getByText(words.exchange("blocker.rateFailed"))).toBeVisible();
      await expect(send).toHaveValue("0.5");
      await page.unroute(RATE);
      await person.press(root.getByRole("button", { name: words.exchange("rate.retry") }));
      await expect(getAbout).toHaveValue(/^1\s\d{3}/);
    },
  );

  test(
    `a page whose data ${name} says so, and loads when asked again`,
    { tag: "@desktop" },
    async ({ page, open, words, problems }) => {
      const instruments = "**/api/v2/instruments/public?*";
      problems.expect({ url: "/instruments/public", as });
      await open("/");
      await page.route(instruments, fail);
      await calculatorOf(page, words).proceed.click();
      const title = words.common(as === "failed" ? "failed.offlineTitle" : "failed.title");
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
      await expect(page).toHaveURL(/step=destination/);
      await page.unroute(instruments);
      await page.getByRole("button", { name: words.common("failed.retry") }).click();
      await expect(destinationOf(page, words, { send: "ETH", get: "USDT" }).title).toBeVisible();
    },
  );

  test(
    `an order ${name} keeps its details, and comes back by itself`,
    { tag: "@desktop" },
    async ({ page, open, words, problems, api }) => {
      problems.expect({ url: "/orders/public-info", as });
      const order = await newOrder(api);
      await open(orderPath(order));
      await page.route(INFO, fail);
      await expect(page.getByText(words.order("stale.failed"))).toBeVisible({ timeout: 20_000 });
      await expect(page.getByText(order.depositAddress.slice(-4)).first()).toBeVisible();
      await page.unroute(INFO);
      await expect(page.getByText(words.order("stale.failed"))).toBeHidden({ timeout: 20_000 });
      await expect(orderOf(page, words).pay).toBeVisible();
    },
  );
}

test("a slow creation says what happens, and takes no second press", async ({ page, open, words }) => {
  const created: string[] = [];
  await page.route(CREATE, async (route) => {
    created.push(route.request().headers()["idempotency-key"] ?? "");
    await slowly(route);
  });
  await open(STEP);
  const step = await fill(page, words);
  await step.create.click();
  const busy = page.getByRole("button", { name: words.exchange("destination.creating") });
  await expect(busy).toBeVisible();
  await busy.click({ force: true });
  await expect(orderOf(page, words).pay).toBeVisible();
  expect(created).toHaveLength(1);
});

for (const [name, fail, as] of [
  ["without an answer", gone, "failed"],
  ["that breaks", broken, 500],
] as const) {
  test(`a creation ${name} is asked for again, the same order, until it is there`, async ({
    page,
    open,
    words,
    problems,
  }) => {
    problems.expect({ url: "/orders/public/create", as });
    problems.expectSaid(/the order was not created/);
    const sent: { key: string | undefined; body: unknown }[] = [];
    let isBack = false;
    await page.route(CREATE, async (route) => {
      const request = route.request();
      sent.push({ key: request.headers()["idempotency-key"], body: request.postDataJSON() });
      await (isBack ? route.continue() : fail(route));
    });
    await open(STEP);
    await (await fill(page, words)).create.click();
    await expect(page.getByText(words.exchange("pending.unanswered"))).toBeVisible();
    await expect(page).toHaveURL(/\/order\/pending$/);
    await expect.poll(() => sent.length).toBeGreaterThanOrEqual(2);
    isBack = true;
    await expect(orderOf(page, words).pay).toBeVisible({ timeout: 40_000 });
    for (const one of sent) expect(one).toEqual(sent[0]);
  });
}

test("a creation that is given up keeps the form, and is the same order when pressed again", async ({
  page,
  open,
  words,
  problems,
}) => {
  problems.expect({ url: "/orders/public/create", as: 500 });
  problems.expectSaid(/the order was not created/);
  const keys = new Set<string | undefined>();
  await page.route(CREATE, (route) => {
    keys.add(route.request().headers()["idempotency-key"]);
    return broken(route);
  });
  await open(STEP);
  const step = await fill(page, words);
  const address = await step.address.inputValue();
  await step.create.click();
  await page.getByRole("link", { name: words.exchange("pending.back") }).click();
  await expect(step.address).toHaveValue(address);
  await expect(step.terms).toBeChecked();
  await page.unroute(CREATE);
  const [request] = await Promise.all([page.waitForRequest(CREATE), step.create.click()]);
  await expect(orderOf(page, words).pay).toBeVisible();
  expect([...keys]).toEqual([request.headers()["idempotency-key"]]);
});

async function fill(page: Page, words: Parameters<typeof destinationOf>[1]) {
  const step = destinationOf(page, words, { send: "ETH", get: "USDT" });
  await step.address.fill(randomAddress());
  await step.terms.check();
  return step;
}
