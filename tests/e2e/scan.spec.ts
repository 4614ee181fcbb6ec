import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { encode } from "uqr";
import { requireChromium } from "../../scripts/lib/chromium.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import { flow } from "./support/flow.ts";
import { orderBelowMinimum, orderPath, untilOrderSaved } from "./support/orders.ts";
import { calculatorOf, choiceOf, destinationOf, ordersOf } from "./support/screens.ts";
import { untilSettled } from "./support/settled.ts";
import { expect, test } from "./support/test.ts";

const USDT = "usdt-erc20";
const STEP = `/exchange-eth-${USDT}?amount=0.5&step=destination`;
const address = "0x52908400098527886E0F7030069857D2E4169EE7";

/** The camera's picture, a file for each of Playwright's workers. Without it Chromium has no camera at all. */
const camera = join(process.env["E2E_DATA_DIR"] ?? tmpdir(), `camera-${process.env["TEST_PARALLEL_INDEX"] ?? "0"}.y4m`);

test.use({
  launchOptions: async ({ launchOptions }, give) => {
    writeFileSync(camera, pictureOf(address));
    const args = ["--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${camera}`];
    await give({ ...launchOptions, executablePath: requireChromium(), args: [...(launchOptions.args ?? []), ...args] });
  },
});

/** The heading of the dialog that opens next, also where it is gone before Playwright would look: a code can be found at once. */
const titleOfNextDialog = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = () => {
          const title = document.querySelector("dialog[open] .w-dialog__title")?.textContent;
          if (title) resolve(title);
        };
        new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter: ["open"] });
      }),
  );

/** A picture of a QR code, 480 by 480, in the format that Chromium's camera reads. */
function pictureOf(text: string): Buffer {
  const side = 480;
  const { data } = encode(text, { border: 4 });
  const scale = side / data.length;
  const luma = Buffer.alloc(side * side);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      luma[y * side + x] = data[Math.floor(y / scale)]?.[Math.floor(x / scale)] ? 16 : 235;
  const grey = Buffer.alloc((side * side) / 2, 128);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${side} H${side} F10:1 Ip A1:1 C420jpeg\nFRAME\n`), luma, grey]);
}

flow("a QR code fills the address, and its amount is offered", async ({ page, open, person, texts, context, api }) => {
  const t = texts.exchange;
  const { contractAddress } = (await api.call("instruments", { query: {} })).find(({ slug }) => slug === USDT) ?? {};
  writeFileSync(camera, pictureOf(`ethereum:${contractAddress}@1/transfer?address=${address}&uint256=1500000000`));
  await context.grantPermissions(["camera"]);
  await open(STEP);
  const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
  const shown = titleOfNextDialog(page);
  await person.press(page.getByRole("button", { name: t("destination.scan") }));
  expect(await shown).toBe(t("scan.title"));
  await expect(step.address).toHaveValue(address, { timeout: 20_000 });
  await expect(page.getByRole("dialog", { name: t("scan.title") })).toBeHidden();
  const offer = page.getByRole("button", {
    name: t("destination.linkAmountUse", { amount: "1\u202f500", ticker: "USDT" }),
  });
  await expect(offer).toBeVisible();
  await expectAccessible(page);
  await person.press(offer);
  await expect(offer).toBeHidden();
  await expect(page.locator(".w-order-sum__amounts")).toContainText("1\u202f500\u00a0USDT");
});

test(
  "a page that was reached from one without a camera reads a QR code too, and keeps what was typed",
  { tag: "@desktop" },
  async ({ page, open, person, texts, context }) => {
    const t = texts.exchange;
    writeFileSync(camera, pictureOf(address));
    await context.grantPermissions(["camera"]);
    await open("/");
    const mayUseCamera = () =>
      page.evaluate(() =>
        (
          document as unknown as { featurePolicy: { allowsFeature(name: string): boolean } }
        ).featurePolicy.allowsFeature("camera"),
      );
    expect(await mayUseCamera()).toBe(false);
    const calculator = calculatorOf(page, texts);
    await person.choose(calculator.fixed);
    await person.type(calculator.send, "0.5");
    await person.press(calculator.proceed);
    const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
    await person.type(step.refund, address);
    expect(await mayUseCamera()).toBe(false);
    await person.press(page.getByRole("button", { name: t("destination.scan"), exact: true }));
    await expect(step.address).toHaveValue(address, { timeout: 20_000 });
    await expect(step.refund).toHaveValue(address);
    expect(await mayUseCamera()).toBe(true);
    expect(new URL(page.url()).searchParams.get("step")).toBe("destination");
  },
);

test(
  "a refund's address is scanned too, on a page that was reached from one without a camera",
  { tag: "@phone" },
  async ({ page, open, person, texts, context, api }) => {
    writeFileSync(camera, pictureOf(address));
    await context.grantPermissions(["camera"]);
    const order = await orderBelowMinimum(api);
    await open(orderPath(order));
    await untilOrderSaved(page, order);
    await open("/orders");
    await person.press(ordersOf(page, texts).rows);
    const choice = choiceOf(page, texts);
    await untilSettled(page, choice.getRefund);
    await person.press(choice.getRefund);
    const dialog = page.getByRole("dialog", { name: texts.order("refund.ask") });
    await expect(dialog.getByRole("button", { name: texts.exchange("destination.paste") })).toBeVisible();
    // The page is loaded anew, and its dialog opens again by itself.
    await person.press(dialog.getByRole("button", { name: texts.exchange("destination.scan") }));
    await expect(choice.address).toHaveValue(address, { timeout: 20_000 });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
  },
);

test("the scanner explains that camera access was denied", { tag: "@desktop" }, async ({ page, open, texts }) => {
  const t = texts.exchange;
  await open(STEP);
  const scan = page.getByRole("button", { name: t("destination.scan") });
  await scan.click();
  const dialog = page.getByRole("dialog", { name: t("scan.title") });
  await expect(dialog.getByText(t("scan.denied"))).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(scan).toBeFocused();
});
