import { createHash } from "node:crypto";
import type { OrderLocale } from "#contract/order.ts";
import { orderPath } from "#contract/order-path.ts";
import type { OwnerMessage } from "../message.ts";
import type { Mail } from "../port.ts";
import { wordsOf, type Say } from "../words.ts";

/** The order that is written about, in the language that it was made in. */
export type About = { orderId: string; reference: string; locale: OrderLocale };
export type Addressee = About & { rowId: string; email: string };

export type Desktop = {
  /** The only origin that a link begins with (contract §6). */
  publicUrl: string;
  /** How an instrument is called to people. */
  nameOf(slug: string): { ticker: string; network: string };
};

/** A message of the bot: plain text, and where its button leads. */
export type Note = { text: string; link: { href: string; words: string } };

type Letter = { subject: string; paragraphs: string[] };

/** The mail that tells an owner one thing, as plain text and as HTML with the same words. */
export function writeMail(message: OwnerMessage, to: Addressee, desktop: Desktop): Mail {
  const say = wordsOf(to.locale);
  const { subject, paragraphs } = letterOf(message, to, say, desktop);
  const link = orderLink(message, to, desktop);
  const footer = say("footer", { reference: to.reference });
  return {
    messageId: messageIdOf(to, desktop),
    orderId: to.orderId,
    locale: to.locale,
    to: to.email,
    subject: oneLine(subject),
    text: [...paragraphs, `${say("open")}:\n${link}`, `-- \n${footer}`].map((part) => `${part}\n`).join("\n"),
    html: page(to.locale, oneLine(subject), paragraphs, { href: link, words: say("open") }, footer),
  };
}

/** What the bot tells an owner, in the words of the mail. */
export function writeNote(message: OwnerMessage, about: About, desktop: Desktop): Note {
  const say = wordsOf(about.locale);
  const { subject, paragraphs } = letterOf(message, about, say, desktop);
  return {
    text: [oneLine(subject), ...paragraphs].join("\n\n"),
    link: { href: orderLink(message, about, desktop), words: say("open") },
  };
}

function letterOf(message: OwnerMessage, { reference }: About, say: Say, desktop: Desktop): Letter {
  const sum = ({ amount, slug }: { amount: string; slug: string }) =>
    say("amount", { amount, ...desktop.nameOf(slug) });
  const subject = (values: Record<string, string> = {}) => say(`subject.${message.topic}`, { reference, ...values });
  switch (message.topic) {
    case "created":
      return message.isDepositAwaited
        ? created(message, { give: sum(message.give), get: sum(message.get) }, subject, say)
        : { subject: say("subject.followed", { reference }), paragraphs: [say("text.followed")] };
    case "deposit_seen": {
      const values = { received: sum(message.received), count: message.confirmations };
      return { subject: subject(), paragraphs: [say("text.deposit_seen", values)] };
    }
    case "choice_needed":
    case "under_minimum":
    case "over_maximum":
      return { subject: subject(), paragraphs: [say(`text.${message.topic}`, { received: sum(message.received) })] };
    case "payout_completed": {
      const delivered = sum(message.delivered);
      const text = say("text.payout_completed", { delivered, destination: shortened(message.destinationAddress) });
      return { subject: subject({ delivered }), paragraphs: [text, say("transaction", { txId: message.txId })] };
    }
    case "refund_requested":
      return { subject: subject(), paragraphs: [say("text.refund_requested")] };
    case "refund_completed": {
      const returned = sum(message.returned);
      const text = say("text.refund_completed", { returned });
      return { subject: subject({ returned }), paragraphs: [text, say("transaction", { txId: message.txId })] };
    }
  }
}

function created(
  { expiresAt }: Extract<OwnerMessage, { topic: "created" }>,
  sums: { give: string; get: string },
  subject: (values: Record<string, string>) => string,
  say: Say,
): Letter {
  const first =
    expiresAt === null
      ? say("text.created_floating", sums)
      : say("text.created_fixed", { ...sums, time: utc(expiresAt) });
  return { subject: subject(sums), paragraphs: [first, say("text.created_address")] };
}

/** The order's page in the order's language (spec §2). */
function orderLink({ destinationAddress }: OwnerMessage, { orderId, locale }: About, { publicUrl }: Desktop): string {
  return new URL(orderPath(orderId, destinationAddress, locale), publicUrl).href;
}

/** The same for every copy of one row, and telling nothing: an order's id opens the order. */
function messageIdOf({ rowId, orderId }: Addressee, { publicUrl }: Desktop): string {
  const digest = createHash("sha256").update(`${orderId}:${rowId}`).digest("hex").slice(0, 32);
  return `<${digest}@${new URL(publicUrl).hostname}>`;
}

const shortened = (address: string): string =>
  address.length <= 16 ? address : `${address.slice(0, 6)}…${address.slice(-6)}`;

const utc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text: string): string => text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);

function page(
  locale: OrderLocale,
  title: string,
  paragraphs: string[],
  link: { href: string; words: string },
  footer: string,
): string {
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:0 auto;padding:1em;overflow-wrap:anywhere">
${paragraphs.map((text) => `<p>${escape(text)}</p>`).join("\n")}
<p><a href="${escape(link.href)}">${escape(link.words)}</a></p>
<p style="font-size:14px">${escape(footer)}</p>
</body>
</html>
`;
}
