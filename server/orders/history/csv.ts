import { addDecimals, decimalDistance } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";

/** contract §8; in the words that tax tools know. */
const HEADER = [
  "Date",
  "Sent Amount",
  "Sent Currency",
  "Received Amount",
  "Received Currency",
  "Fee Amount",
  "Fee Currency",
  "Reference",
  "Tx Ids",
] as const;

/** Orders for which something was paid, a line each (RFC 4180); of one that goes on, what was received is not known yet. */
export const csvOf = (orders: readonly Order[]): string =>
  [HEADER, ...orders.filter(({ deposits }) => deposits.length > 0).map(lineOf)]
    .map((cells) => `${cells.map(cellOf).join(",")}\r\n`)
    .join("");

function lineOf(order: Order): string[] {
  const { deposits, withdrawals, pair, createdAt, reference } = order;
  const [from, to] = [pair.instrumentFrom.currencyTitle, pair.instrumentTo.currencyTitle];
  const sent = addDecimals(...deposits.map(({ amount }) => amount));
  const ended = endOf(order);
  const received = ended === null ? "" : addDecimals(...ended.withdrawals.map(({ amount }) => amount));
  const txIds = [...deposits, ...withdrawals].flatMap(({ txId }) => txId ?? []);
  return [
    ended?.at ?? createdAt,
    sent,
    from,
    received,
    ended === null ? "" : ended.kind === "refund" ? from : to,
    ...feeOf(order, ended, { sent, received, from, to }),
    reference,
    txIds.join(" "),
  ];
}

type End = { readonly kind: "payout" | "refund"; readonly at: string; readonly withdrawals: Order["withdrawals"] };

/** How an order ended, once its payment is in a block; null before. */
function endOf({ orderEvents, withdrawals }: Order): End | null {
  const at = (kind: "REFUND_COMPLETED" | "WITHDRAWAL_COMPLETED") =>
    orderEvents.find((event) => event.kind === kind)?.at;
  const of = (kind: End["kind"]) => withdrawals.filter((withdrawal) => withdrawal.kind === kind);
  const refunded = at("REFUND_COMPLETED");
  if (refunded !== undefined) return { kind: "refund", at: refunded, withdrawals: of("refund") };
  const completed = at("WITHDRAWAL_COMPLETED");
  return completed === undefined ? null : { kind: "payout", at: completed, withdrawals: of("payout") };
}

type Sums = { readonly sent: string; readonly received: string; readonly from: string; readonly to: string };

/** Of a refund, what its network took; of an exchange, our fee and the network's. */
function feeOf({ feesTaken }: Order, ended: End | null, { sent, received, from, to }: Sums): [string, string] {
  if (ended?.kind === "refund") return [decimalDistance(sent, received), from];
  return ended === null || feesTaken === null
    ? ["", ""]
    : [addDecimals(feesTaken.platformFee, feesTaken.networkFee), to];
}

/** A spreadsheet calculates what begins with one of these; behind an apostrophe it is text. */
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
