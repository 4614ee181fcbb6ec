import type { Page, Route } from "@playwright/test";
import type { Order } from "#contract/order.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { muteSocket } from "./support/slow-network.ts";
import { newOrder, orderPath, untilOrderSaved } from "./support/orders.ts";
import { calculatorOf, destinationOf, orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";
import { LOCALES } from "./support/texts.ts";

const API = "**/api/**";
const CREATE = "**/api/v1/orders/public/create";
const STEP = "/exchange-eth-usdt-erc20?amount=0.5&step=destination";
const COINS = { send: "ETH", get: "USDT" };

/** Faults of the API: its answers come after 3 s, are broken, are a hotel's sign-in page, or never come. */
const FAULTS = ["slow", "broken", "garbage", "gone"] as const;
type Fault = (typeof FAULTS)[number];

const broken = (route: Route) =>
  route.fulfill({
    status: 500,
    json: { status: "ERR_INTERNAL_SERVER_ERROR", message: "Internal server error", traceId: "t", data: {} },
  });
const gone = (route: Route) => route.abort("connectionrefused");
const SIGN_IN = "<!doctype html><title>Sign in</title>";

/** Injects a fault into the API and its socket; returns the function that ends it. */
async function causeFault(page: Page, fault: Fault): Promise<() => Promise<void>> {
  const repaired = Promise.withResolvers<void>();
  let isMended = false;
  const answers: Record<Fault, (route: Route) => Promise<void>> = {
    slow: async (route) => {
      await repaired.promise;
      await route.continue();
    },
    broken,
    garbage: (route) => route.fulfill({ contentType: "text/html", body: SIGN_IN }),
    gone,
  };
  await page.route(API, (route) => (isMended ? route.fallback() : answers[fault](route)));
  return async () => {
    if (fault === "slow") await page.clock.fastForward(3_000);
    isMended = true;
    repaired.resolve();
  };
}

/** Runs the page's clock ahead until the condition holds. */
const inTime = (page: Page, holds: () => Promise<unknown>): Promise<void> =>
  expect(async () => {
    await page.clock.fastForward(2_000);
    await holds();
  }).toPass({ intervals: [100], timeout: 20_000 });

type Stage = Pick<Parameters<Parameters<typeof test>[2]>[0], "page" | "open" | "person" | "texts" | "api">;

/** An open screen, and what its reader does and sees during a fault. */
type Scene = {
  readonly act?: () => Promise<void>;
  /** While an answer is waited for. */
  readonly waits: () => Promise<void>;
  /** After the failure. */
  readonly tells: (fault: Fault) => Promise<void>;
  /** In either case, and after it. */
  readonly keeps: () => Promise<void>;
  readonly recovers: () => Promise<void>;
};

const soon = { timeout: 500 };

async function typeIn(stage: Stage, path: string, side: "send" | "get"): Promise<Scene> {
  const { page, open, person, texts } = stage;
  await open(path);
  const { root, send, getAbout } = calculatorOf(page, texts);
  const [typed, computed, amount] = side === "send" ? [send, getAbout, "0.75"] : [getAbout, send, "900"];
  return {
    act: () => person.type(typed, amount),
    waits: async () => {
      await expect(root.locator(".w-amount-card__skeleton")).toBeVisible();
      await expect(computed).toHaveValue("");
    },
    tells: () => expect(root.getByText(texts.exchange("blocker.rateFailed"))).toBeVisible(soon),
    keeps: () => expect(typed).toHaveValue(amount),
    recovers: () => expect(computed).toHaveValue(/^\d/, soon),
  };
}

const SCREENS: Readonly<Record<string, (stage: Stage) => Promise<Scene>>> = {
  home: (stage) => typeIn(stage, "/", "send"),

  "a pair's page": (stage) => typeIn(stage, "/exchange-eth-usdt-erc20", "get"),

  "the list of coins": async ({ page, open, person, texts }) => {
    await open("/");
    const { root, send, getCoin, getAbout } = calculatorOf(page, texts);
    await person.press(getCoin);
    const dialog = page.getByRole("dialog", { name: texts.exchange("selector.get") });
    const search = dialog.getByRole("combobox");
    await expect(search).toBeVisible();
    const amount = await send.inputValue();
    return {
      act: async () => {
        await person.type(search, "dai");
        await person.pick(search, dialog.getByRole("option"));
        await expect(dialog).toBeHidden();
      },
      waits: () => expect(root.locator(".w-amount-card__skeleton")).toBeVisible(),
      tells: () => expect(root.getByText(texts.exchange("blocker.rateFailed"))).toBeVisible(soon),
      keeps: async () => {
        await expect(getCoin).toContainText("DAI");
        await expect(send).toHaveValue(amount);
      },
      recovers: () => expect(getAbout).toHaveValue(/^\d/, soon),
    };
  },

  "a page on its way": async ({ page, open, person, texts }) => {
    await open("/");
    const { send, proceed } = calculatorOf(page, texts);
    await person.type(send, "0.75");
    const step = destinationOf(page, texts, COINS);
    return {
      act: () => person.press(proceed),
      waits: async () => {
        await expect(send).toHaveValue("0.75");
        await expect(page.locator(".w-loading-bar--running")).toBeVisible();
      },
      tells: async (fault) => {
        const title = texts.common(fault === "gone" ? "failed.offlineTitle" : "failed.title");
        await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible(soon);
      },
      keeps: () => expect(page).toHaveURL(/amount=0\.75.*step=destination/),
      recovers: () => expect(step.title).toBeVisible(soon),
    };
  },

  "the destination step": async ({ page, open, person, texts }) => {
    await open(STEP);
    const step = destinationOf(page, texts, COINS);
    const address = randomAddress();
    const t = texts.exchange;
    return {
      act: () => person.type(step.address, address),
      waits: () => expect(page.getByRole("status").getByText(t("destination.checking"))).toBeAttached(),
      tells: () => expect(step.address).toHaveAccessibleDescription(t("destination.checkFailed"), soon),
      keeps: () => expect(step.address).toHaveValue(address),
      recovers: () => expect(page.getByText(t("destination.addressValid", { ticker: "USDT" }))).toBeVisible(soon),
    };
  },

  "an order": async ({ page, open, texts, api }) => {
    const order = await newOrder(api);
    await open(orderPath(order));
    const stale = page.getByText(texts.order("stale.failed"));
    return {
      waits: () => expect(stale).toBeHidden(),
      tells: () => expect(stale).toBeVisible(soon),
      keeps: () => expectPayable(page, order),
      recovers: async () => {
        await expect(stale).toBeHidden(soon);
        await expect(orderOf(page, texts).pay).toBeVisible(soon);
      },
    };
  },

  "the orders of this device": async ({ page, open, texts, api }) => {
    const order = await newOrder(api);
    await open(orderPath(order));
    await expect(orderOf(page, texts).pay).toBeVisible();
    await untilOrderSaved(page, order);
    await open("/orders");
    const stale = page.getByText(texts.order("list.failed"));
    return {
      waits: () => expect(stale).toBeHidden(),
      tells: () => expect(stale).toBeVisible(soon),
      keeps: () => expect(page.locator(`main a[href*="${order.orderId}"]`)).toBeVisible(),
      recovers: () => expect(stale).toBeHidden(soon),
    };
  },

  "the popular exchanges": async ({ page, open, texts }) => {
    await open("/popular-exchanges");
    const main = page.getByRole("main");
    const age = new RegExp(texts.home("popular.from", { time: "\\d+:\\d+" }));
    let rates = 0;
    page.on("response", (response) => {
      if (response.url().includes("/rates/public/one") && response.request().method() === "GET") rates += 1;
    });
    return {
      waits: () => expect(main).toContainText(age),
      tells: () => expect(main).toContainText(age),
      keeps: () => expect(main).toContainText("ETH → USDT"),
      recovers: async () => expect(rates).toBeGreaterThan(0),
    };
  },
};

/** The address that an order is paid to, without the gaps that are for the eye. */
async function expectPayable(page: Page, { depositAddress }: Order): Promise<void> {
  expect((await page.getByRole("main").innerText()).replace(/\s/g, "")).toContain(depositAddress);
}

const EXPECTED = { slow: null, broken: 500, garbage: null, gone: "failed" } as const;

for (const [at, [screen, arrive]] of Object.entries(SCREENS).entries()) {
  for (const [of, fault] of FAULTS.entries()) {
    // One error path reads both: half of the screens meet each.
    if (fault === (at % 2 === 0 ? "broken" : "garbage")) continue;
    const tag = (at + of) % 2 === 0 ? "@phone" : "@desktop";
    test.describe(`the API is ${fault}`, { tag }, () => {
      test.use({
        lang: LOCALES[(at + (of >> 1)) % 2] ?? "en",
        colorScheme: of % 2 === 0 ? "light" : "dark",
      });

      test(`${screen} shows the error, keeps its data, and retries`, async ({
        page,
        open,
        person,
        texts,
        api,
        problems,
      }) => {
        const as = EXPECTED[fault];
        if (as !== null) problems.expect({ url: /\/api\//, as });
        problems.expectSaid(/the address could not be checked|can.t be fetched|a pair has no rate/);
        await page.clock.install();
        await muteSocket(page);
        const scene = await arrive({ page, open, person, texts, api });
        await page.evaluate("globalThis.isSameLoad = true");

        const repair = await causeFault(page, fault);
        await scene.act?.();
        if (fault === "slow") await page.clock.fastForward(2_000);
        await (fault === "slow" ? scene.waits() : inTime(page, () => scene.tells(fault)));
        await scene.keeps();

        await repair();
        await inTime(page, scene.recovers);
        await scene.keeps();
        expect(await page.evaluate("globalThis.isSameLoad"), "the page was not reloaded").toBe(true);
      });
    });
  }
}

test(
  "a slow creation says what happens, and ignores a second press",
  { tag: "@desktop" },
  async ({ page, open, texts }) => {
    const created: string[] = [];
    const answered = Promise.withResolvers<void>();
    await page.route(CREATE, async (route) => {
      created.push(route.request().headers()["idempotency-key"] ?? "");
      await answered.promise;
      await route.continue();
    });
    await open(STEP);
    const step = await fill(page, texts);
    await step.create.click();
    const busy = page.getByRole("button", { name: texts.exchange("destination.creating") });
    await expect(busy).toBeVisible();
    await busy.click({ force: true });
    const loaded = Promise.withResolvers<void>();
    await page.route("**/api/v1/orders/public-info?*", async (route) => {
      await loaded.promise;
      await route.continue();
    });
    answered.resolve();
    await expect(page).toHaveURL(/\/order\/\w{22,}\?/);
    await expect(page.locator(".w-loading-bar--running")).toBeAttached();
    await expect(step.title).toBeVisible();
    loaded.resolve();
    await expect(orderOf(page, texts).pay).toBeVisible();
    expect(created).toHaveLength(1);
  },
);

for (const { name, fail, as, tag } of [
  { name: "without an answer", fail: gone, as: "failed", tag: "@phone" },
  { name: "that breaks", fail: broken, as: 500, tag: "@desktop" },
  // spec §9; the page aborts it itself, which is no failed request.
  { name: "that takes over 200 s", fail: async () => undefined, as: null, tag: "@phone" },
] as const) {
  test(
    `a creation ${name} is repeated, for the same order, until it succeeds`,
    { tag },
    async ({ page, open, texts, problems }) => {
      if (as !== null) problems.expect({ url: "/orders/public/create", as });
      problems.expectSaid(/the order was not created/);
      const sent: { key: string | undefined; body: unknown }[] = [];
      let isBack = false;
      await page.route(CREATE, async (route) => {
        const request = route.request();
        sent.push({ key: request.headers()["idempotency-key"], body: request.postDataJSON() });
        await (isBack ? route.continue() : fail(route));
      });
      await page.clock.install();
      await open(STEP);
      await (await fill(page, texts)).create.click();
      await expect.poll(() => sent.length).toBe(1);
      const passTime = () => page.clock.fastForward(as === null ? 200_500 : 0);
      await passTime();
      await expect(page).toHaveURL(/\/order\/pending$/);
      await expect.poll(() => sent.length).toBeGreaterThanOrEqual(2);
      await passTime();
      await expect(page.getByText(texts.exchange("pending.unanswered"))).toBeVisible();
      isBack = true;
      await inTime(page, () => expect(orderOf(page, texts).pay).toBeVisible(soon));
      for (const one of sent) expect(one).toEqual(sent[0]);
    },
  );
}

test(
  "an abandoned creation keeps the form, and creates the same order when pressed again",
  { tag: "@phone" },
  async ({ page, open, texts, problems }) => {
    problems.expect({ url: "/orders/public/create", as: 500 });
    problems.expectSaid(/the order was not created/);
    const keys = new Set<string | undefined>();
    await page.route(CREATE, (route) => {
      keys.add(route.request().headers()["idempotency-key"]);
      return broken(route);
    });
    await open(STEP);
    const step = await fill(page, texts);
    const address = await step.address.inputValue();
    await step.create.click();
    await page.getByRole("link", { name: texts.exchange("pending.back") }).click();
    await expect(step.address).toHaveValue(address);
    await expect(step.terms).toBeChecked();
    await page.unroute(CREATE);
    const [request] = await Promise.all([page.waitForRequest(CREATE), step.create.click()]);
    await expect(orderOf(page, texts).pay).toBeVisible();
    expect([...keys]).toEqual([request.headers()["idempotency-key"]]);
  },
);

test(
  "an invalid answer to a creation keeps the form, and the same order is created when pressed again",
  { tag: "@desktop" },
  async ({ page, open, texts, problems }) => {
    problems.expectSaid(/the order was not created/);
    const keys: (string | undefined)[] = [];
    await page.route(CREATE, (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      return keys.length === 1 ? route.fulfill({ json: { isFine: true } }) : route.continue();
    });
    await open(STEP);
    const step = await fill(page, texts);
    const address = await step.address.inputValue();
    await step.create.click();
    await expect(page.getByText(texts.exchange("creation.answerUnreadable"))).toBeVisible();
    await expect(step.address).toHaveValue(address);
    await step.create.click();
    await expect(orderOf(page, texts).pay).toBeVisible();
    expect(keys).toEqual([keys[0], keys[0]]);
  },
);

async function fill(page: Page, texts: Parameters<typeof destinationOf>[1]) {
  const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
  await step.address.fill(randomAddress());
  await step.terms.check();
  return step;
}
