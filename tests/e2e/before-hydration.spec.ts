import { untilHydrated } from "../../scripts/bench/web/hydrated.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { delayScripts } from "./support/slow-network.ts";
import { calculatorOf, decimalOf, destinationOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

test("an amount typed before hydration counts", { tag: "@phone" }, async ({ page, texts }) => {
  const release = await delayScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  const { send, getAbout } = calculatorOf(page, texts);
  await expect(getAbout).toHaveValue(/\d/);
  const before = await getAbout.inputValue();
  await send.fill("0.75");
  release();
  await untilHydrated(page);
  await expect(send).toHaveValue("0.75");
  await expect(getAbout).not.toHaveValue(before);
  await expect.poll(async () => Number(decimalOf(await getAbout.inputValue()))).toBeGreaterThan(1500);
});

test(
  "an address, a checkbox and a click before hydration are not lost",
  { tag: "@desktop" },
  async ({ page, texts }) => {
    const address = randomAddress();
    const release = await delayScripts(page);
    const path = "/exchange-eth-usdt-erc20?amount=0.5&step=destination";
    await page.goto(path, { waitUntil: "commit" });
    const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
    await step.address.fill(address);
    await step.terms.check();
    await step.create.click({ noWaitAfter: true });
    release();
    await untilHydrated(page);
    await expect(page).toHaveURL(path);
    await expect(step.address).toHaveValue(address);
    await expect(step.terms).toBeChecked();
    await expect(page.getByText(texts.exchange("destination.addressValid", { ticker: "USDT" }))).toBeVisible();
    await step.create.click();
    await expect(page.getByRole("button", { name: texts.order("sandbox.pay") })).toBeVisible();
  },
);

test.describe("on a clock that is not UTC's", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("no time is seen before the reader's clock is known", { tag: "@phone" }, async ({ page, api }) => {
    const order = await newOrder(api);
    for (const path of [orderPath(order), "/popular-exchanges", "/price/eth"]) {
      const release = await delayScripts(page);
      await page.goto(path, { waitUntil: "commit" });
      const times = page.locator("[data-clock]");
      await expect(times.first()).toBeAttached();
      for (const time of await times.all()) await expect(time).toHaveCSS("visibility", "hidden");
      release();
      await untilHydrated(page);
      await expect(page.locator("[data-clock=UTC]")).toHaveCount(0);
      await expect(times.first()).toHaveCSS("visibility", "visible");
      await page.unrouteAll({ behavior: "ignoreErrors" });
    }
  });
});
