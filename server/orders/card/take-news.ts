import { CodedError } from "#contract/errors.ts";
import { parseAmount, toMinor } from "#contract/money.ts";
import type { CardNews } from "../../card/port.ts";
import { nullWithoutPrice } from "../../rates/port.ts";
import { decideCardNews, type CardNewsCommand } from "../decisions/decide-card.ts";
import { unpaidUntil } from "../decisions/decide.ts";
import type { OrderState, OrderTerms } from "../decisions/order.ts";
import { withOrder, type OrderSession, type SessionParts } from "../processing/session.ts";
import { markCardReview, scheduleCardOrder, takeOnce, type CardOrderRow } from "./store.ts";

export type NewsParts = SessionParts & {
  /** Titles of an instrument, as the provider names it. */
  tickerOf(slug: string): string;
  /** How often the provider is asked. */
  askSeconds: number;
};

/** An unpaid order is asked about less often after its first hour. */
const UNPAID_PATIENCE_MS = 3_600_000;
const UNPAID_FACTOR = 10;

const unusable = (reason: string): CodedError => new CodedError("ERR_UNPROCESSABLE_ENTITY", reason);

/**
 * Takes what the provider says of an order: what is new becomes events, in one transaction with when it is asked next. `rawBody` is a
 * callback's, which is taken once. Throws for amounts in other currencies than the order's.
 */
export async function takeNews(
  parts: NewsParts,
  row: CardOrderRow,
  news: CardNews,
  rawBody: string | null = null,
): Promise<void> {
  const done = await withOrder(parts, row.orderId, async (session) => {
    const command = commandOf(parts, session, news);
    if (rawBody !== null && !(await takeOnce(session.transaction, row.id, rawBody))) return;
    await takeIfNew(parts, session, row, command);
    await scheduleCardOrder(session.transaction, row.id, askedIn(parts, session.state(), session.at));
  });
  if (done === null) throw new Error("the order of a card order is missing");
}

/** Ends an order that nobody paid in its time, whose provider says so. */
export async function expireUnpaid(parts: NewsParts, row: CardOrderRow): Promise<void> {
  await withOrder(parts, row.orderId, async (session) => {
    if (session.state().kind === "awaiting_deposit") session.take({ kind: "expire", at: session.at });
    await scheduleCardOrder(session.transaction, row.id, askedIn(parts, session.state(), session.at));
  });
}

/** Takes what operators have decided of an order in review: its end, as if the provider had reported it, or that it stays as it is. */
export async function endAsDecided(
  parts: NewsParts,
  { id, orderId }: CardOrderRow,
  end: NonNullable<CardOrderRow["operatorEnd"]>,
): Promise<void> {
  const done = await withOrder(parts, orderId, async (session) => {
    const { at } = session;
    const unknown = { paid: null, delivered: null, txId: null };
    const market = pricesNow(parts, session.state().terms);
    if (end !== "closed") session.take({ kind: "card_news", state: end, ...unknown, market, at });
    session.clearWait();
    await markCardReview(session.transaction, id, false);
    await scheduleCardOrder(session.transaction, id, askedIn(parts, session.state(), at));
  });
  if (done === null) throw new Error("the order of a card order is missing");
}

/** A repeated report must not end what the order waits for. */
async function takeIfNew(
  { log }: NewsParts,
  session: OrderSession,
  row: CardOrderRow,
  command: CardNewsCommand,
): Promise<void> {
  const { events, wait } = decideCardNews(command, session.state());
  if (events.length === 0 && wait === null) return;
  session.take(command);
  await markCardReview(session.transaction, row.id, wait !== null);
  if (wait !== null && !row.isInReview) log.error({ orderId: row.orderId, reason: wait }, "a card order needs review");
}

function askedIn({ askSeconds }: NewsParts, state: OrderState, now: Date): number | null {
  if (state.kind === "completed" || state.kind === "refunded" || state.kind === "expired") return null;
  if (state.kind !== "awaiting_deposit") return askSeconds;
  const isNew = now.getTime() - state.terms.createdAt.getTime() < UNPAID_PATIENCE_MS;
  const untilEnd = Math.ceil((unpaidUntil(state.terms).getTime() - now.getTime()) / 1000);
  return Math.max(1, Math.min(isNew ? askSeconds : askSeconds * UNPAID_FACTOR, Math.max(untilEnd, askSeconds)));
}

/** Amounts are compared with what was quoted by the decider; here they are read, in the order's own currencies. */
function commandOf(parts: NewsParts, session: OrderSession, news: CardNews): CardNewsCommand {
  const { tickerOf } = parts;
  const { terms } = session.state();
  if (terms.card === undefined) throw unusable("This is no order by card");
  const isBuy = terms.card.direction === "buy";
  const [fiat, coin] = isBuy ? [terms.from, terms.to] : [terms.to, terms.from];
  if (news.fiat !== null && news.fiat !== tickerOf(fiat.slug)) throw unusable("The order is in another currency");
  if (news.coin !== null && news.coin !== tickerOf(coin.slug)) throw unusable("The order is of another coin");
  const money = read(news.fiatAmount, fiat.decimals);
  const coins = read(news.coinAmount, coin.decimals);
  const [paid, delivered] = isBuy ? [money, coins] : [coins, money];
  const market = pricesNow(parts, terms);
  return {
    kind: "card_news",
    state: news.state,
    paid: paid === null ? null : toMinor<"from">(paid),
    // Until it is done the other amount is what was quoted.
    delivered: delivered === null || news.state !== "done" ? null : toMinor<"to">(delivered),
    txId: news.txId,
    market,
    at: session.at,
  };
}

/** Without a network fee, which a fiat instrument has none of. */
const pricesNow = ({ rates, log }: NewsParts, { from, to }: OrderTerms): CardNewsCommand["market"] =>
  nullWithoutPrice(() => {
    const { prices } = rates.snapshot();
    const [fromPriceUsd, toPriceUsd] = [prices.get(from.slug), prices.get(to.slug)];
    if (fromPriceUsd === undefined || toPriceUsd === undefined) return null;
    return { fromPriceUsd: toMinor<"usd">(fromPriceUsd), toPriceUsd: toMinor<"usd">(toPriceUsd) };
  }, log);

function read(text: string | null, decimals: number): bigint | null {
  if (text === null) return null;
  const plain = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  const amount = parseAmount(plain, decimals);
  if (amount === null || amount <= 0n) throw unusable("An amount can't be read");
  return amount;
}
