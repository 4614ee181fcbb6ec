import type { Catalogue } from "../../catalogue/index.ts";
import type { Database } from "../../db/database.ts";
import type { MayBe, MayBeOrder } from "../payouts/matches/payment-matches.ts";
import type { PayoutRow } from "../payouts/store.ts";
import { listUnknownPayments, type UnknownPayment } from "../payouts/unknown-payments.ts";
import { amountText } from "./held-commands.ts";
import { adoptionTexts, exchangesPaidBy } from "../payouts/matches/exchange-matches.ts";

/** What "unknown-payments" prints: each with what it may be, and how that is booked. */
export async function describeUnknown(database: Database, catalogue: Pick<Catalogue, "instruments">): Promise<string> {
  const unknown = await listUnknownPayments(database);
  if (unknown.length === 0) return "every payment that the chains show is known";
  const lines = unknown.map(async (one) => {
    const { network, txId, height, pays, mayBe, orders } = one;
    const payments = mayBe.map((payment) => {
      const owes = payment.isSame ? [] : [`owes ${amountText(catalogue, BigInt(payment.owes), payment.slug)}`];
      const signed = payment.isBeside ? ["is signed already and may still be mined beside it"] : [];
      return [paymentText(payment), [...owes, ...signed].join(" and ")].filter((text) => text !== "").join(", which ");
    });
    const known = [
      ...(payments.length === 0 ? [] : [`may be ${payments.join(" or ")}`]),
      ...adoptionTexts(await exchangesPaidBy(database.kysely, { network, txId }), txId),
      ...orders.map(
        (order) => `may have paid or refunded ${orderText(order)}, which may still be paid${offerText(order, one)}`,
      ),
    ];
    const nothing =
      pays === null ? `no open payment or order of ${network} waits for it; ${MAY_BE_WITHDRAWN}` : NOTHING_OWES_IT;
    const candidates = known.length === 0 ? nothing : known.join("; ");
    return `${network} ${txId} in block ${height ?? "none yet"}: ${paidText(catalogue, one)} (${candidates})`;
  });
  return (await Promise.all(lines)).join("\n");
}

const orderText = ({ id, isLikely }: MayBeOrder): string => `${isLikely ? "" : "less likely "}order ${id}`;

/** How it is booked where its customer had accepted its new rate; not where it is what another payment owes exactly. */
function offerText({ id, isOffered }: MayBeOrder, { txId, pays, sentAmount, mayBe }: UnknownPayment): string {
  const isHidden = pays === null;
  const isOthers = (!isHidden || sentAmount !== null) && mayBe.some(({ isSame }) => isSame);
  if (!isOffered || isOthers) return "";
  const named = isHidden ? ` --transaction ${txId}${sentAmount === null ? " --amount AMOUNT" : ""}` : "";
  return ` (where its customer had accepted its new rate: "order accept ${id} REASON --as NAME${named}")`;
}

const MAY_BE_WITHDRAWN =
  'a withdrawal that was asked for after the backup has its sum in the wallet again: "adjust" it, then dismiss it with --adjusted';
const NOTHING_OWES_IT = `no open payment owes that; ${MAY_BE_WITHDRAWN}`;

const paymentText = ({ id, owner, memo }: MayBe): string =>
  `payment ${id} of ${owner}${memo === null ? "" : ` with the memo ${memo}`}`;

function paidText(catalogue: Pick<Catalogue, "instruments">, { pays, sentSlug, sentAmount }: UnknownPayment): string {
  const texts = pays?.map(({ to, slug, amount }) => `${amountText(catalogue, BigInt(amount), slug)} to ${to}`);
  if (texts !== undefined) return texts.join(", ");
  const sent = sentSlug === null || sentAmount === null ? "what it pays" : amountText(catalogue, sentAmount, sentSlug);
  return sentSlug === null ? `${sent} is hidden` : `${sent} to a hidden address`;
}

/** How a refund is held that was decided although the payment had paid its order out. */
export async function refundText(
  { kysely }: Database,
  { txId }: { txId: string },
  { orders }: { orders: MayBeOrder[] },
): Promise<string> {
  const refunds = await kysely
    .selectFrom("payouts")
    .innerJoin("orders", "orders.id", "payouts.order_id")
    .select("payouts.id")
    .where("orders.state", "=", "refunding")
    .where("payouts.purpose", "=", "refund")
    .where("orders.id", "in", [...orders.map(({ id }) => id), ""])
    .orderBy("payouts.id")
    .execute();
  const named = refunds.map(({ id }) => `--holds ${id}`).join(" or ");
  return refunds.length === 0
    ? ""
    : ` Where ${txId} paid out an order that is being refunded, ${named} holds that refund.`;
}

/** What came of a dismissal beside what is paid all the same. */
export const heldText = ({ id, purpose }: Pick<PayoutRow, "id" | "purpose">): string =>
  purpose === "refund"
    ? ` Payment ${id}, which would refund the order that it has paid, is held: "payout release ${id}" refunds that as well.`
    : ` Payment ${id}, which would pay the order that its partner was paid for, is held: "payout release ${id}" pays that as well.`;

/** What is paid although a dismissed payment may have been that. */
export const againTexts = (
  catalogue: Pick<Catalogue, "instruments">,
  { mayBe, orders }: { mayBe: MayBe[]; orders: MayBeOrder[] },
): string[] => [
  ...mayBe.map((one) => `${paymentText(one)}, which owes ${amountText(catalogue, BigInt(one.owes), one.slug)}`),
  ...orders.map((one) => `${orderText(one)}, which may still be paid`),
];
