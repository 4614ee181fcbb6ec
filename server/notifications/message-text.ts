import type { TFunction } from "i18next";
import { shorten } from "#contract/site/short-address.ts";
import type { Locale } from "#contract/locale.ts";
import { orderPath, stopRefundPath } from "#contract/links/order-path.ts";
import { fixedT } from "../base/i18n.ts";
import type { OrderMessage, Topic } from "./message.ts";

/** The order that a message is about, and the language that it was made in. */
export type OrderRef = { orderId: string; reference: string; locale: Locale };

export type MessageContext = {
  /** The origin of every link (contract §6). */
  publicUrl: string;
  /** An instrument's names as people read them, and what its network calls the memo that its addresses need; null without one. */
  nameOf(slug: string): { ticker: string; network: string; memo: "memo" | "tag" | null; isFiat?: boolean };
};

/** The same for a message to an account. */
export type AccountContext = MessageContext & {
  /** Of an instrument's minor units; null for one that the catalogue lacks. */
  decimalsOf(slug: string): number | null;
};

/** A message as plain text, and the pages that it opens. */
export type MessageText = { subject: string; paragraphs: string[]; links: { href: string; label: string }[] };

/** The text of a message in the order's language; mail and Telegram send the same. */
export function messageText(message: OrderMessage, order: OrderRef, context: MessageContext): MessageText {
  const t = fixedT(order.locale, "mail");
  const { subject, paragraphs } = textOf(message, order.reference, t, context);
  return {
    subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, " "),
    paragraphs,
    links: pathsOf(message, order).map(({ path, label }) => ({
      href: new URL(path, context.publicUrl).href,
      label: t(label),
    })),
  };
}

function pathsOf(message: OrderMessage, { orderId, locale }: OrderRef): { path: string; label: "open" | "stop" }[] {
  const order = { path: orderPath(orderId, message.destinationAddress, locale), label: "open" } as const;
  if (message.topic !== "refund_delayed" || message.stopToken === undefined) return [order];
  return [{ path: stopRefundPath({ orderId, token: message.stopToken }, locale), label: "stop" }, order];
}

/**
 * The text for an email that was set by the order's id alone: what happened, and nothing that opens the order or finds its payments
 * on a chain (no link, address, amount or transaction).
 */
export function unconfirmedText({ topic }: OrderMessage, { reference, locale }: OrderRef): MessageText {
  const t = fixedT(locale, "mail");
  return {
    subject: t("subject.followed", { reference }),
    paragraphs: [withoutDetails(topic, locale), t("unconfirmed")],
    links: [],
  };
}

function withoutDetails(topic: Topic, locale: Locale): string {
  const t = fixedT(locale, "mail");
  if (topic === "created") return t("text.followed");
  // Without the link that stops it.
  if (topic === "refund_requested" || topic === "refund_delayed") return t("text.refund_requested");
  return fixedT(locale, "push")(`text.${topic}`);
}

type Text = Pick<MessageText, "subject" | "paragraphs">;

function textOf(message: OrderMessage, reference: string, t: TFunction<"mail">, context: MessageContext): Text {
  const cardOf = ({ slug }: { slug: string }) => (context.nameOf(slug).isFiat ? "card" : undefined);
  const memoOf = ({ slug }: { slug: string }) => context.nameOf(slug).memo ?? undefined;
  const amountOf = ({ amount, slug }: { amount: string; slug: string }) =>
    // A currency has no network to be distinguished by.
    t("amount", { amount, ...context.nameOf(slug), context: cardOf({ slug }) });
  const subject = (values: Record<string, string> = {}) => t(`subject.${message.topic}`, { reference, ...values });
  const recipient = ({ address, memo, slug }: { address: string; memo?: string | null; slug?: string }) =>
    memo == null || slug === undefined
      ? shorten(address)
      : t("recipient", { address: shorten(address), memo, context: memoOf({ slug }) });
  switch (message.topic) {
    case "created":
      return message.isDepositAwaited
        ? createdText(
            message,
            { from: amountOf(message.from), to: amountOf(message.to) },
            memoOf(message.from),
            subject,
            t,
          )
        : { subject: t("subject.followed", { reference }), paragraphs: [t("text.followed")] };
    case "deposit_seen": {
      const values = { received: amountOf(message.received), count: message.confirmations };
      return { subject: subject(), paragraphs: [t("text.deposit_seen", values)] };
    }
    case "under_minimum": {
      const values = { received: amountOf(message.received), context: memoOf(message.received) };
      return { subject: subject(), paragraphs: [t("text.under_minimum", values)] };
    }
    case "choice_needed":
    case "over_maximum":
      return { subject: subject(), paragraphs: [t(`text.${message.topic}`, { received: amountOf(message.received) })] };
    case "payout_completed": {
      const delivered = amountOf(message.delivered);
      if (cardOf(message.delivered) !== undefined)
        return { subject: subject({ delivered }), paragraphs: [t("text.payout_completed_card", { delivered })] };
      const to = { address: message.destinationAddress, memo: message.destinationMemo, slug: message.delivered.slug };
      const text = t("text.payout_completed", { delivered, destination: recipient(to) });
      return { subject: subject({ delivered }), paragraphs: [text, t("transaction", { txId: message.txId })] };
    }
    case "refund_requested":
      return { subject: subject(), paragraphs: [t("text.refund_requested")] };
    case "refund_delayed": {
      const to = { address: message.refundAddress, memo: message.refundMemo, slug: message.refundSlug };
      const values = { refund: recipient(to), time: utc(message.until) };
      return { subject: subject(), paragraphs: [t("text.refund_delayed", values), t("text.refund_stop")] };
    }
    case "refund_completed": {
      const returned = amountOf(message.returned);
      const text = t("text.refund_completed", { returned });
      return { subject: subject({ returned }), paragraphs: [text, t("transaction", { txId: message.txId })] };
    }
  }
}

function createdText(
  { expiresAt }: Extract<OrderMessage, { topic: "created" }>,
  amounts: { from: string; to: string },
  memo: "memo" | "tag" | undefined,
  subject: (values: Record<string, string>) => string,
  t: TFunction<"mail">,
): Text {
  const first =
    expiresAt === null
      ? t("text.created_floating", amounts)
      : t("text.created_fixed", { ...amounts, time: utc(expiresAt) });
  return { subject: subject(amounts), paragraphs: [first, t("text.created_address", { context: memo })] };
}

const utc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
