import { sql, type Transaction } from "kysely";
import { type Minor, toMinor } from "#contract/money.ts";
import type { Clock } from "../../base/clock.ts";
import { largestOf } from "../../base/extremes.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction, type TransactionProbe } from "../../db/transaction.ts";
import { offersFor } from "../../rates/quote.ts";
import type { Log } from "../../base/logging/log.ts";
import type { EnqueueMessages } from "../../notifications/port.ts";
import { confirmationsAt, readTip } from "../../chains/follower/index.ts";
import { nullWithoutPrice, type PriceSnapshot, type Rates } from "../../rates/port.ts";
import type { Command } from "../decisions/command.ts";
import type { MarketNow } from "../decisions/decide-price.ts";
import { decide, isClosed, isOpen, unpaidAgainUntil, unpaidUntil } from "../decisions/decide.ts";
import { isCardOrder } from "../decisions/decide-card.ts";
import type { Wait } from "../decisions/decision.ts";
import type { Routes } from "../decisions/decide-price.ts";
import { rehearsedMarket } from "../decisions/decide-rehearsal.ts";
import { exposureOf } from "../decisions/decide-exposure.ts";
import { isTooSmall } from "../decisions/decide-price.ts";
import { recordEffects, type EffectPorts, type EffectSession } from "./effects.ts";
import { evolve } from "../decisions/evolve.ts";
import type { DomainEvent, OrderState, RegisteredDeposit } from "../decisions/order.ts";
import type { LedgerTransfer } from "../../treasury/port.ts";
import type { EnqueueWebhooks } from "../port.ts";
import { channelsOf, messagesOf } from "../customer-messages.ts";
import { appendEvents, depositsOf, lockOrder, type DepositRow, type NextOrder, type StoredOrder } from "./store.ts";

export type SessionParts = EffectPorts & {
  database: Database;
  rates: Pick<Rates, "snapshot" | "networkFee">;
  clock: Clock;
  log: Log;
  enqueueMessages: EnqueueMessages;
  enqueueWebhooks: EnqueueWebhooks;
  /** Available balance of an instrument in minor units; null where the treasury has no wallet for it. */
  ownBalance(slug: string, networkTitle: string): bigint | null;
  probe?: TransactionProbe;
};

export type SeeDeposit = Extract<Command, { kind: "see_deposit" }>;

/** One order, locked, while commands are taken one after the other; what they decide is stored when the session ends. */
export type OrderSession = EffectSession & {
  readonly deposits: DepositRow[];
  /** Null while there is no price that may be used. */
  readonly market: MarketNow | null;
  /** What the last command left the order waiting for; null before the first. */
  readonly wait: Wait | null;
  /** What the order will wait for, and whether anything has changed since it was last stored. */
  outcome(): { wait: string | null; hasChanged: boolean };
  take(command: Command): void;
  /** Takes deposits that the order hasn't registered, one after the other. Its list of them is written once: there may be thousands. */
  takeDeposits(commands: Iterable<SeeDeposit>): void;
  /** Since when nothing pays an order that was paid: its deposits are gone, or (null) were sent back. False for every other. */
  unpaidAgain(): { goneSince: Date | null } | false;
  /** Ends the stored wait, which otherwise stays until a command is taken. */
  clearWait(): void;
  /** The deposits of the right asset that the chain or its mempool shows, and that need no review. */
  visible(): DepositRow[];
  isRegistered(deposit: DepositRow): boolean;
  /** The sum of the visible deposits that are registered. */
  standing(): Minor<"from">;
  /** Sets a deposit aside for an operator's review. */
  review(deposits: readonly DepositRow[], reason: string): Promise<void>;
  /** The counted deposits once each of them is registered and confirmed; null until then (contract §3). */
  confirmed(): Promise<DepositRow[] | null>;
};

/** The sum of deposits, in minor units of the coin that the order takes. */
export const sumOf = (deposits: DepositRow[]): Minor<"from"> =>
  toMinor(deposits.reduce((sum, deposit) => sum + deposit.amount, 0n));

/**
 * Every command runs through this: lock, load, decide, append with the effects as intents, commit (engine law 2). Nothing outside
 * is called (law 3). Null when there is no such order.
 */
export async function withOrder<T>(
  parts: SessionParts,
  orderId: string,
  work: (session: OrderSession) => Promise<T>,
): Promise<{ result: T; events: DomainEvent[] } | null> {
  return inTransaction(
    parts.database,
    async (transaction) => {
      const order = await lockOrder(transaction, orderId);
      if (order === null) return null;
      const deposits = await depositsOf(transaction, orderId);
      const session = new Session(parts, transaction, order, deposits);
      const result = await work(session);
      const { events } = session;
      await recordEffects(parts, session, events);
      const next = session.next();
      await appendEvents(transaction, order, events, next);
      if (isForPartner(next.state) && (events.length > 0 || needsCustomer(order.wait, next.wait)))
        await parts.enqueueWebhooks(transaction, orderId);
      const progress = { state: session.state(), received: sumOf(session.counted()) };
      const messages = messagesOf(progress, events, session.wait);
      if (messages.length > 0)
        await parts.enqueueMessages(transaction, { orderId, channels: channelsOf(order) }, messages);
      // Last: the accounts are locked from here to the commit.
      if (session.transfers.length > 0) await parts.postAll(transaction, session.transfers);
      report(parts.log, order, events, session.wait);
      return { result, events };
    },
    parts.probe,
  );
}

/** Whether somebody's program made it, who may have webhooks. */
const isForPartner = ({ terms }: OrderState): boolean => terms.markupBps !== undefined;

/** A wait of which no event tells. */
const needsCustomer = (before: string | null, now: string | null): boolean =>
  now !== before && (now === "under_minimum" || now === "over_maximum");

class Session implements OrderSession {
  readonly transaction: Transaction<Schema>;
  readonly order: StoredOrder;
  readonly deposits: DepositRow[];
  readonly at: Date;
  readonly market: MarketNow | null;
  readonly events: DomainEvent[] = [];
  readonly transfers: LedgerTransfer[] = [];
  wait: Wait | null = null;
  #keepsWait = true;
  #state: OrderState;
  /** The keys of the state's deposits, and the sum of those that are visible: an order may be paid by thousands of deposits. */
  readonly #keys: Set<string>;
  #standing: Minor<"from"> | null = null;
  readonly #byKey: ReadonlyMap<string, DepositRow>;

  constructor(parts: SessionParts, transaction: Transaction<Schema>, order: StoredOrder, deposits: DepositRow[]) {
    this.transaction = transaction;
    this.order = order;
    this.deposits = deposits;
    this.at = parts.clock.now();
    this.market = marketNow(parts, order.state);
    this.#state = order.state;
    this.#keys = new Set(order.state.deposits.map(({ key }) => key));
    this.#byKey = new Map(deposits.map((deposit) => [deposit.key, deposit]));
  }

  state(): OrderState {
    return this.#state;
  }

  take(command: Command): void {
    const decision = decide(command, this.#state);
    for (const event of decision.events) {
      this.#state = evolve(this.#state, event);
      if (event.kind === "DEPOSIT_REGISTERED") this.#register(event.data.deposit.key);
      this.events.push(event);
    }
    this.wait = decision.wait;
    this.#keepsWait = false;
  }

  takeDeposits(commands: Iterable<SeeDeposit>): void {
    const { deposits } = this.#state;
    const added: RegisteredDeposit[] = [];
    this.#state = { ...this.#state, deposits: [] };
    for (const command of commands) {
      this.take(command);
      if (this.#state.deposits.length === 0) continue;
      added.push(...this.#state.deposits);
      this.#state = { ...this.#state, deposits: [] };
    }
    this.#state = { ...this.#state, deposits: [...deposits, ...added] };
  }

  clearWait(): void {
    this.wait = null;
    this.#keepsWait = false;
  }

  outcome(): { wait: string | null; hasChanged: boolean } {
    const wait = this.#keepsWait ? this.order.wait : this.wait;
    return { wait, hasChanged: this.events.length > 0 || wait !== this.order.wait };
  }

  next(): NextOrder {
    const { wait } = this.outcome();
    const mined = sumOf(this.#registered().filter((deposit) => deposit.height !== null));
    const exposure = exposureOf(this.#state, { standing: this.standing(), mined });
    return { state: this.#state, wait, exposure, unpaidUntil: this.#unpaidUntil() };
  }

  unpaidAgain(): { goneSince: Date | null } | false {
    if (!isOpen(this.#state) || this.#keys.size === 0 || this.counted().length > 0) return false;
    const left = this.deposits.filter((deposit) => this.isRegistered(deposit));
    // One in review may come back, and so may one of which nobody knows since when it is gone.
    if (left.some(({ goneSince, creditedAt }) => goneSince === null || creditedAt !== null)) return false;
    const times = left.flatMap(({ goneSince }) => goneSince?.getTime() ?? []);
    return { goneSince: times.length === 0 ? null : new Date(largestOf(times)) };
  }

  visible(): DepositRow[] {
    const { slug } = this.#state.terms.from;
    return this.deposits.filter((deposit) => isVisible(deposit, slug));
  }

  isRegistered(deposit: DepositRow): boolean {
    return this.#keys.has(deposit.key);
  }

  standing(): Minor<"from"> {
    this.#standing ??= sumOf(this.#registered());
    return this.#standing;
  }

  async review(deposits: readonly DepositRow[], reason: string): Promise<void> {
    if (deposits.length === 0) return;
    for (const deposit of deposits) deposit.reviewReason = reason;
    this.#standing = null;
    await this.transaction
      .updateTable("deposits")
      .set({ review_reason: reason })
      .where("id", "=", sql<bigint>`any(${deposits.map(({ id }) => id)})`)
      .execute();
  }

  #unpaidUntil(): Date | null {
    const state = this.#state;
    // The end of a card order is asked for.
    if (isCardOrder(state)) return null;
    if (state.kind === "awaiting_deposit") return unpaidUntil(state.terms);
    const again = this.unpaidAgain();
    return again === false ? null : unpaidAgainUntil(state.terms, again.goneSince);
  }

  #register(key: string): void {
    const deposit = this.#byKey.get(key);
    const isNew = !this.#keys.has(key);
    this.#keys.add(key);
    if (this.#standing !== null && isNew && deposit !== undefined && isVisible(deposit, this.#state.terms.from.slug))
      this.#standing = toMinor(this.#standing + deposit.amount);
  }

  #registered(): DepositRow[] {
    return this.visible().filter((deposit) => this.isRegistered(deposit));
  }

  counted(): DepositRow[] {
    const mayCount = countsFor(this.#state, this.standing());
    return this.visible().filter((deposit) => this.isRegistered(deposit) || mayCount(deposit));
  }

  async confirmed(): Promise<DepositRow[] | null> {
    const counted = this.counted();
    if (counted.length === 0 || counted.some((deposit) => !this.isRegistered(deposit))) return null;
    const { terms } = this.#state;
    const tip = await readTip(this.transaction, terms.from.networkTitle);
    const isDeep = (deposit: DepositRow) => confirmationsAt(tip, deposit.height) >= terms.requiredConfirmations;
    return counted.every(isDeep) ? counted : null;
  }
}

/** Whether the chain or its mempool shows it, in the right asset, and it needs no review. */
const isVisible = ({ height, inMempool, reviewReason, slug }: DepositRow, fromSlug: string): boolean =>
  (height !== null || inMempool) && reviewReason === null && slug === fromSlug;

/** Whether a deposit that is not registered yet can still count for the order. */
function countsFor(state: OrderState, standing: bigint): (deposit: DepositRow) => boolean {
  const takesMore = !isClosed(state, standing);
  return (deposit) => takesMore && !isTooSmall(state.terms, deposit.amount);
}

/** The deposits that count for an order as it stands, for whoever only reads it. */
export function countedOf(state: OrderState, deposits: DepositRow[]): DepositRow[] {
  const keys = new Set(state.deposits.map(({ key }) => key));
  const visible = deposits.filter((deposit) => isVisible(deposit, state.terms.from.slug));
  const mayCount = countsFor(state, sumOf(visible.filter(({ key }) => keys.has(key))));
  return visible.filter((deposit) => keys.has(deposit.key) || mayCount(deposit));
}

function marketNow(parts: SessionParts, state: OrderState): MarketNow | null {
  return nullWithoutPrice(() => {
    const { from, to } = state.terms;
    const snapshot = parts.rates.snapshot();
    const fromPriceUsd = snapshot.prices.get(from.slug);
    const toPriceUsd = snapshot.prices.get(to.slug);
    if (fromPriceUsd === undefined || toPriceUsd === undefined) return null;
    return rehearsedMarket(state.terms, {
      fromPriceUsd: toMinor(fromPriceUsd),
      toPriceUsd: toMinor(toPriceUsd),
      networkFee: toMinor(parts.rates.networkFee(to.slug, snapshot)),
      ...(state.terms.provider !== undefined && { routes: routesNow(parts, state, snapshot) }),
    });
  }, parts.log);
}

/** Who could fill an order that a partner quoted. */
function routesNow(parts: SessionParts, { terms: { from, to } }: OrderState, snapshot: PriceSnapshot): Routes {
  return {
    offers: offersFor(snapshot.partners, from.slug, to.slug),
    sendingFee: toMinor(parts.rates.networkFee(from.slug, snapshot)),
    ownBalance: parts.ownBalance(to.slug, to.networkTitle),
  };
}

/** A waiting order is handled with every block: it is logged only when the reason changes. */
function report(log: Log, { id: orderId, wait: before }: StoredOrder, events: DomainEvent[], wait: Wait | null): void {
  for (const event of events) log.info({ orderId, event: event.kind }, "order event");
  if (wait !== null && wait !== before) log.warn({ orderId, wait }, "the order waits");
}
