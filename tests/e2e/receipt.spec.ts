import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Order } from "#contract/order.ts";
import { readPdf } from "../../src/features/order/testing/read-pdf.ts";
import type { Api } from "../support/http/api.ts";
import { orderAfter } from "../support/scenarios/http-swap.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";
import { LOCALES } from "./support/texts.ts";

async function finishedOrder(api: Api): Promise<Order> {
  const order = await newOrder(api);
  await api.call("sandboxPay", { body: { orderId: order.orderId } });
  return orderAfter(api, order, "WITHDRAWAL_COMPLETED");
}

/** Every address and hash of an order. */
const codesOf = ({ destinationAddress, depositAddress, deposits, withdrawals }: Order): string[] => [
  destinationAddress,
  depositAddress ?? "",
  ...[...deposits, ...withdrawals].map(({ txId }) => txId ?? ""),
];

const plain = (texts: readonly string[]): string => texts.join(" ").replaceAll(/\s/g, " ");

for (const lang of LOCALES) {
  test.describe(`in ${lang}`, { tag: lang === "en" ? "@phone" : "@desktop" }, () => {
    test.use({ lang });

    test("a receipt is saved as a PDF with whole hashes and real text", async ({ page, open, texts, api }) => {
      const t = texts.order;
      const order = await finishedOrder(api);
      await open(orderPath(order));
      await expect(orderOf(page, texts).sentToYou).toBeVisible();
      for (const code of codesOf(order)) await expect(page.locator(`[data-address="${code}"]`)).toBeVisible();
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: t("receipt.save") }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(`wherry-${order.reference}.pdf`);
      const pdf = await readPdf(new Uint8Array(await readFile(await download.path())));
      expect(pdf.texts).toEqual(expect.arrayContaining(codesOf(order)));
      expect(pdf.texts).toContain(t("receipt.sentToYou"));
      expect(plain(pdf.texts)).toContain(t("receipt.title", { reference: order.reference }));
      await expect(page.getByText(t("receipt.downloaded"))).toBeVisible();
    });
  });
}

test.describe("on paper", { tag: "@desktop" }, () => {
  const backgroundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  for (const colorScheme of ["light", "dark"] as const) {
    test(`a ${colorScheme} page's receipt is light, whole and without navigation`, async ({ page, texts, api }) => {
      await page.emulateMedia({ colorScheme });
      const order = await finishedOrder(api);
      await page.goto(orderPath(order));
      await expect(orderOf(page, texts).sentToYou).toBeVisible();
      await page.emulateMedia({ colorScheme, media: "print" });
      await expect(page.getByRole("button")).toHaveCount(0);
      await expect(page.getByRole("navigation")).toHaveCount(0);
      expect(await backgroundOf(page)).toBe("rgb(255, 255, 255)");
      const { texts: printed } = await readPdf(new Uint8Array(await page.pdf({ format: "A4" })));
      const letters = printed.join("").replaceAll(/\s/g, "");
      for (const code of codesOf(order)) expect(letters).toContain(code);
      expect(letters).not.toContain("…");
    });
  }
});

test(
  "a wallet is offered on a phone, where a link may open one",
  { tag: "@phone" },
  async ({ page, open, texts, api }) => {
    await open(orderPath(await newOrder(api)));
    const wallet = page.getByRole("link", { name: texts.order("qr.open") });
    await expect(wallet).toBeVisible();
    await expect(wallet).toHaveAttribute("href", /^ethereum:/);
  },
);

test(
  "with a mouse an order shows the QR code and the address, and no wallet",
  { tag: "@desktop" },
  async ({ page, open, texts, api }) => {
    await open(orderPath(await newOrder(api)));
    await expect(page.getByRole("button", { name: texts.order("address.copy") })).toBeVisible();
    await expect(page.getByRole("link", { name: texts.order("qr.open") })).toHaveCount(0);
  },
);
