import { describe, expect, it } from "vitest";
import type { OrderMessage } from "../message.ts";
import type { MessageContext } from "../message-text.ts";
import { writeMail } from "./channel.ts";

const ORDER = "A".repeat(24);
const to = {
  rowId: "7",
  orderId: ORDER,
  reference: "7KQ4-M2XD",
  locale: "en",
  email: "ann@example.com",
  isConfirmed: true,
} as const;
const names: Record<string, ReturnType<MessageContext["nameOf"]>> = {
  eth: { ticker: "ETH", network: "Ethereum", memo: null },
  "usdt-erc20": { ticker: "USDT", network: "Ethereum", memo: null },
  xrp: { ticker: "XRP", network: "XRP Ledger", memo: "tag" },
  usd: { ticker: "USD", network: "Bank card", memo: null, isFiat: true },
  ton: { ticker: "TON", network: "TON", memo: "memo" },
};
const context = {
  publicUrl: "https://wherry.test",
  nameOf: (slug: string) => names[slug] ?? { ticker: slug, network: slug, memo: null },
};
const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";
const REFUND = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const base = { sourceKey: "x", destinationAddress: ADDRESS };
const half = { amount: "0.5", slug: "eth" };
const gotten = { amount: "1491.5", slug: "usdt-erc20" };

const created: OrderMessage = {
  topic: "created",
  ...base,
  from: half,
  to: gotten,
  expiresAt: "2026-11-21T12:20:00.000Z",
  isDepositAwaited: true,
};
const messages: OrderMessage[] = [
  created,
  { ...created, expiresAt: null },
  { ...created, isDepositAwaited: false },
  { topic: "deposit_seen", ...base, received: half, confirmations: 3 },
  { topic: "choice_needed", ...base, received: half },
  { topic: "under_minimum", ...base, received: half },
  { topic: "over_maximum", ...base, received: half },
  { topic: "payout_completed", ...base, delivered: gotten, txId: "0xpaid" },
  { topic: "refund_requested", ...base },
  { topic: "refund_delayed", ...base, refundAddress: REFUND, until: "2026-11-21T12:30:00.000Z", stopToken: "a-token" },
  { topic: "refund_completed", ...base, returned: half, txId: "0xback" },
];

describe("mail about an order", () => {
  it.each(messages)(
    "to an address that is not confirmed finds neither the order nor its payments: $topic",
    (message) => {
      for (const locale of ["en", "ru"] as const) {
        const { subject, text, html } = writeMail(message, { ...to, locale, isConfirmed: false }, context);
        const mail = `${subject}${text}${html.replace(/style="[^"]*"/g, "")}`;
        expect(mail).not.toMatch(/http|href|0x|[0-9]\.[0-9]|491|\{\{|undefined/);
        expect(mail).not.toContain(ORDER);
        expect(mail).toContain("7KQ4-M2XD");
        expect(/[а-я]/i.test(text)).toBe(locale === "ru");
      }
    },
  );

  it("about a refund that waits says where to, until when, and how to stop it", () => {
    const delayed = messages.find(({ topic }) => topic === "refund_delayed") ?? created;
    const { text } = writeMail(delayed, to, context);
    expect(text).toContain("A refund to 0x8617E3…38070D was requested. We’ll send it at 2026-11-21 12:30 UTC or later");
    expect(text).toContain(`Stop the refund:\nhttps://wherry.test/stop-refund#orderId=${ORDER}&token=a-token`);
  });

  it("says what to send, by when, and where to look", () => {
    const mail = writeMail(created, to, context);
    expect(mail.subject).toBe("Order 7KQ4-M2XD: send 0.5 ETH (Ethereum)");
    expect(mail.text).toContain("exactly 0.5 ETH (Ethereum) by 2026-11-21 12:20 UTC");
    expect(mail.text).toContain(`https://wherry.test/order/${ORDER}?destinationAddress=${ADDRESS}`);
  });

  it.each(messages)("is complete in both languages, with links to the own origin alone: $topic", (message) => {
    for (const locale of ["en", "ru"] as const) {
      const mail = writeMail(message, { ...to, locale }, context);
      expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/\{\{|undefined|null/);
      expect(mail.html).toContain(`<html lang="${locale}">`);
      const prefix = locale === "ru" ? "/ru" : "";
      const links = [...`${mail.text}\n${mail.html}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link);
      const pages = [`https://wherry.test${prefix}/order/${ORDER}?destinationAddress=${ADDRESS}`];
      if (message.topic === "refund_delayed")
        pages.unshift(`https://wherry.test${prefix}/stop-refund#orderId=${ORDER}&token=a-token`);
      expect(links.map((link) => link.replaceAll("&amp;", "&"))).toEqual([...pages, ...pages]);
      expect(/[а-я]/i.test(mail.text)).toBe(locale === "ru");
    }
  });

  it.each([
    ["en", "We sent 95.5 USD to your card."],
    ["ru", "Мы отправили 95.5 USD на вашу карту."],
  ] as const)(
    "about a sale says that the card was paid, in %s: its order has no address and no transaction",
    (locale, said) => {
      const paid: OrderMessage = {
        topic: "payout_completed",
        ...base,
        delivered: { amount: "95.5", slug: "usd" },
        txId: "m-1",
      };
      const mail = writeMail(paid, { ...to, locale }, context);
      expect(mail.text).toContain(said);
      expect(`${mail.subject}${mail.text}`).not.toMatch(/Bank card|0x529084…|m-1/);
    },
  );

  it("shortens an address to what is needed to recognise it", () => {
    const { text } = writeMail({ topic: "payout_completed", ...base, delivered: gotten, txId: "0xpaid" }, to, context);
    expect(text.replace(/https:\S+/, "")).not.toContain(ADDRESS);
    expect(text).toContain("0x529084…169EE7");
  });

  it.each([
    ["xrp", "destination tag", "тег"],
    ["ton", "memo", "memo"],
  ])("names the %s network's %s beside the address, and asks for it with a deposit", (slug, english, russian) => {
    const amount = { amount: "5", slug };
    const named: OrderMessage[] = [
      { ...created, from: amount },
      { topic: "under_minimum", ...base, received: amount },
      { topic: "payout_completed", ...base, destinationMemo: "2049183714", delivered: amount, txId: "paid" },
      {
        topic: "refund_delayed",
        ...base,
        refundAddress: REFUND,
        refundMemo: "2049183714",
        refundSlug: slug,
        until: "2026-11-21T12:30:00.000Z",
      },
    ];
    for (const message of named) {
      expect(writeMail(message, to, context).text).toContain(english);
      expect(writeMail(message, { ...to, locale: "ru" }, context).text).toContain(russian);
      expect(writeMail(message, to, context).text.includes("2049183714")).toBe(
        message.topic.endsWith("ed") && message.topic !== "created",
      );
    }
  });

  it("uses the plural forms of the language", () => {
    const seen = (confirmations: number, locale: "en" | "ru") =>
      writeMail({ topic: "deposit_seen", ...base, received: half, confirmations }, { ...to, locale }, context).text;
    expect(seen(1, "en")).toContain("After 1 confirmation we");
    expect(seen(3, "en")).toContain("After 3 confirmations we");
    expect(seen(1, "ru")).toContain("После 1 подтверждения ");
    expect(seen(50, "ru")).toContain("После 50 подтверждений ");
  });

  it("has the same id for every copy, which doesn't disclose the order", () => {
    const one = writeMail(created, to, context).messageId;
    expect(writeMail(created, { ...to, locale: "ru" }, context).messageId).toBe(one);
    expect(writeMail(created, { ...to, rowId: "8" }, context).messageId).not.toBe(one);
    expect(one).toMatch(/^<[0-9a-f]{32}@wherry\.test>$/);
  });

  it("keeps hostile text inert", () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>{{reference}}\r\nBcc: thief@example.com`;
    const message: OrderMessage = {
      topic: "payout_completed",
      sourceKey: hostile,
      destinationAddress: hostile,
      delivered: { amount: "1", slug: hostile },
      txId: hostile,
    };
    const mail = writeMail(message, { ...to, reference: hostile, email: `"><b>@example.com` }, context);
    expect(mail.html).not.toMatch(/<(script|img|b)\b/i);
    expect(mail.html).toContain("&lt;script&gt;");
    expect(mail.subject).not.toMatch(/[\r\n]/);
    const href = /href="([^"]*)"/.exec(mail.html)?.[1] ?? "";
    expect(new URL(href).origin).toBe("https://wherry.test");
  });

  it("keeps to its language while mails of the other one are written", async () => {
    const both = messages.flatMap((message) => (["en", "ru"] as const).map((locale) => ({ message, locale })));
    const alone = both.map(({ message, locale }) => writeMail(message, { ...to, locale }, context));
    const together = await Promise.all(
      both.map(async ({ message, locale }, index) => {
        await new Promise((resolve) => setTimeout(resolve, (index * 7) % 5));
        return writeMail(message, { ...to, locale }, context);
      }),
    );
    expect(together).toEqual(alone);
    for (const { locale, subject, text, html } of together)
      for (const part of [subject, text, html]) expect([part, /[а-яё]/i.test(part)]).toEqual([part, locale === "ru"]);
  });
});
