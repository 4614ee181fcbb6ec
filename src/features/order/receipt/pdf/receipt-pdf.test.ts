import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { Order } from "#contract/order.ts";
import { allMessages } from "../../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../../shared/i18n/create-i18n.ts";
import type { Locale } from "#contract/locale.ts";
import { sampleInstrument } from "../../../../shared/testing/sample-instrument.ts";
import { receiptOf } from "../../model/receipt.ts";
import { receiptText } from "../../model/receipt-text.ts";
import { readPdf } from "../../testing/read-pdf.ts";
import { deposit, sampleOrder, withdrawal } from "../../testing/sample-order.ts";
import { receiptPdf } from "./receipt-pdf.ts";

const fontFile = async (name: string): Promise<ArrayBuffer> =>
  new Uint8Array(await readFile(new URL(`receipt-${name}.ttf`, import.meta.url))).buffer;
const fonts = {
  regular: await fontFile("regular"),
  bold: await fontFile("bold"),
  mono: await fontFile("mono"),
};

const PAID = `0x${"a4".repeat(32)}`;
const DEPOSIT = `0x${"cf".repeat(32)}`;
const MONERO = "4AdUndXHHZ6cfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2684Rge";

const completed = (changes: Partial<Order> = {}): Order =>
  sampleOrder(
    ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED", "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"],
    { deposits: [deposit("0.5", 3)], withdrawals: [withdrawal("1490", "payout")], ...changes },
  );

async function pdfOf(order: Order, locale: Locale, kind: "payout" | "refund" = "payout") {
  const i18n = createI18n(locale, allMessages(locale));
  const text = receiptText({
    order,
    receipt: receiptOf(order, kind),
    refund: { refundAmountWithoutNetworkFee: "0.4999", networkFee: "0.0001" },
    t: i18n.getFixedT(locale, "order"),
    common: i18n.getFixedT(locale, "common"),
    locale,
    timeZone: "Europe/Moscow",
  });
  const title = i18n.getFixedT(locale, "order")("receipt.title", { reference: order.reference });
  return readPdf(await receiptPdf({ text, title, site: "wherry.test", locale }, fonts));
}

it("has every address and hash whole, on one line, and the figures, the zone and the dollar value", async () => {
  const { texts, pages, title } = await pdfOf(completed(), "en");
  expect(pages).toBe(1);
  expect(title).toBe("Receipt for order 7KQ4-M2XD");
  for (const whole of [PAID, DEPOSIT, completed().destinationAddress, completed().depositAddress])
    expect(texts).toContain(whole);
  expect(texts.map((text) => text.replaceAll(/\s/g, " "))).toEqual(
    expect.arrayContaining([
      "1 490 USDT",
      "$1 490.00 at the time of the order",
      "0.5 ETH",
      "Ethereum, $1 500.00",
      "1 ETH = 2 980 USDT",
      "21 Nov 2026, 17:00:04 GMT+3",
      "7KQ4-M2XD",
      "wherry.test",
    ]),
  );
  expect(texts.join("")).not.toContain("…");
});

it("is written in Russian, with Cyrillic that can be searched and copied", async () => {
  const { texts, title } = await pdfOf(completed(), "ru");
  expect(title).toBe("Квитанция по заявке 7KQ4-M2XD");
  expect(texts).toContain("Отправили вам");
  expect(texts).toContain("Комиссия сети");
  expect(texts.join(" ").replaceAll(/\s/g, " ")).toContain("$1 490.00 на момент создания заявки");
  expect(texts).toContain(PAID);
});

it("has a refund's figures, and the longest addresses whole too", async () => {
  const kinds = ["CREATION_END", "INCOMING_FUNDS_DETECTED", "REFUND_REQUESTED", "REFUND_COMPLETED"] as const;
  const order = sampleOrder(kinds, {
    deposits: [deposit("0.5", 3)],
    withdrawals: [withdrawal("0.4999", "refund")],
    refundAddress: MONERO,
    refundAddressMemo: "2049183714",
    depositAddress: `addr1${"q".repeat(98)}`,
  });
  const { texts } = await pdfOf(order, "en", "refund");
  expect(texts).toEqual(expect.arrayContaining([MONERO, order.depositAddress, "2049183714", PAID]));
  expect(texts.join(" ")).toContain("Returned to, Ethereum");
});

it("goes on to further pages rather than leave a deposit out", async () => {
  const deposits = Array.from({ length: 40 }, (_, index) =>
    deposit("0.0125", 3, { txId: `0x${index.toString(16).padStart(64, "0")}` }),
  );
  const { texts, pages } = await pdfOf(completed({ deposits }), "ru");
  expect(pages).toBeGreaterThan(1);
  expect(texts).toEqual(expect.arrayContaining(deposits.map(({ txId }) => txId)));
});

it("writes out what its fonts lack, and what would not be seen", async () => {
  const { texts } = await pdfOf(completed({ destinationAddressMemo: "a漢\u202Eb" }), "en");
  expect(texts).toContain("a⟨U+6F22⟩⟨U+202E⟩b");
});

it("calls what a card provider numbers neither a deposit nor a network", async () => {
  const USD = sampleInstrument("usd", {
    currencyTitle: "USD",
    networkFriendlyTitle: "Bank card",
    instrumentType: "fiat",
    precisionDecimals: 2,
  });
  const bought = completed({
    pair: { instrumentFrom: USD, instrumentTo: completed().pair.instrumentTo },
    depositAddress: null,
    deposits: [deposit("200", 0, { txId: "2793af14" })],
    card: { provider: "Mercuryo", direction: "buy", state: "done", reference: "2793af14", supportUrl: null, steps: [] },
  });
  const { texts } = await pdfOf(bought, "ru");
  expect(texts).toEqual(expect.arrayContaining(["Номер в Mercuryo", "2793af14"]));
  expect(texts.join(" ")).toContain("Карта");
  expect(texts.join(" ")).not.toContain("Bank card");
  expect(texts).not.toContain("Ваш платёж");
});
