import type { Transaction } from "kysely";
import type { Stats } from "#contract/health.ts";
import type { AnswerOf, BodyOf } from "#contract/calls.ts";
import type { CoinOrder, CreateOrderBody, LatestOrder, Order } from "#contract/order.ts";
import type { AskedPair } from "#contract/site/listed-pairs.ts";
import type { PairActivity } from "#contract/site/pair-activity.ts";
import type { OrderFilter, OrderHistory, OrderHistoryQuery } from "#contract/accounts/order-history.ts";

import type { Schema } from "../db/schema.ts";
import type { PartnerOrderState, SandboxOutcome } from "#contract/partner-api.ts";
import type { Owner } from "./creation/claim.ts";

export { REHEARSAL_PARTNER, rehearsalRefusal } from "./decisions/decide-rehearsal.ts";

/**
 * Who calls: `key` names a client for limits (an address), and `network` where it is one of many that one party may have; never for
 * rights. `seed` is a secret of this one call that its repetition
 * after a crash has too: both create the same order. `isFirst`: no other call has used it yet.
 * `userId` is whoever is signed in.
 */
export type Client = {
  key: string;
  network?: string;
  traceId: string;
  seed?: string;
  isFirst?: boolean;
  userId?: bigint;
  /** Whose program makes it for a customer of theirs. */
  partner?: PartnerClient;
};

/** What the sandbox pays to an order's deposit address. */
export type SandboxPayment = {
  networkTitle: string;
  slug: string;
  address: string;
  memo: string | null;
  amount: bigint;
};

/** Queues what a partner's receivers are sent of an order, in the transaction that decides it. */
export type EnqueueWebhooks = (transaction: Transaction<Schema>, orderId: string) => Promise<void>;

export type PartnerClient = {
  userId: bigint;
  externalId: string | null;
  markupBps: bigint;
  /** How the sandbox plays it; absent where it is an order like any other. */
  rehearsal?: SandboxOutcome;
};

/** An order that a partner's program made. */
export type PartnerOrder = { order: Order; state: PartnerOrderState; externalId: string | null; markupBps: number };

/** Null narrows nothing. */
export type PartnerOrderQuery = {
  from: Date | null;
  to: Date | null;
  state: PartnerOrderState | null;
  externalId: string | null;
  /** The cursor of the part before. */
  after: string | null;
  limit: number;
};
/** `next`: the cursor of what comes after it; null at the end. */
export type PartnerOrderPage = { items: PartnerOrder[]; next: string | null };

/**
 * The order service's calls. Failures are CodedError; an unknown order and a wrong destination
 * address are the same ERR_NOT_FOUND_E (contract §1).
 */
export type OrderService = {
  /** Prices the claim again and allocates the deposit address (contract §2, §3). ERR_UNPROCESSABLE_ENTITY with `data.rate` where the claimed rate can't be had; `orderFailures` of the OpenAPI lists the others. */
  create(body: CreateOrderBody, client: Client): Promise<CoinOrder>;
  /** A purchase or a sale by card (contract §11). ERR_PAIR_NOT_ACTIVE where no cards are taken, ERR_UNPROCESSABLE_ENTITY without an email. */
  createByCard(body: CreateOrderBody, client: Client & { userId: bigint; email: string | null }): Promise<Order>;
  /** As it was a moment ago, for whoever knows the id and the address; the address in any form of its network. */
  info(orderId: string, destinationAddress: string): Promise<Order>;
  /** All that the id alone opens. ERR_NOT_FOUND_E for an unknown one. */
  state(orderId: string): Promise<PartnerOrderState>;
  /** Adds guests' orders to an account; returns the ids of those that now belong to it. */
  claim(owner: Owner, orders: BodyOf<"claimOrders">["orders"], client: Client): Promise<string[]>;
  /** An account's orders, the newest first. */
  history(userId: bigint, query: OrderHistoryQuery): Promise<OrderHistory>;
  /** Those of them for which something was paid, as CSV. ERR_SERVICE_UNAVAILABLE where its turn did not come. */
  historyCsv(userId: bigint, filter: OrderFilter): Promise<string>;
  /** Null for one that the account's programs did not make. */
  partnerOrder(userId: bigint, orderId: string): Promise<PartnerOrder | null>;
  /** What an account's programs made, the newest first. */
  partnerOrders(userId: bigint, query: PartnerOrderQuery): Promise<PartnerOrderPage>;
  /** The last 20 that were completed, the newest first (contract §3). */
  latest(): Promise<LatestOrder[]>;
  /** Figures of the home page (contract §2); null where there is no data yet. */
  stats(): Promise<Stats>;
  /** The last exchanges of a pair, and how they went. */
  pairActivity(pair: { from: string; to: string }): Promise<PairActivity>;
  /** The pairs that customers exchange often enough that search engines may keep their pages. */
  askedPairs(): Promise<AskedPair[]>;
  /** Once in an order: ERR_UNPROCESSABLE_ENTITY after that. `destinationAddress` confirms the email, and replaces one that was set by the id alone. */
  setEmail(orderId: string, userEmail: string, destinationAddress?: string): Promise<AnswerOf<"setEmail">>;
  /** The order as it is then (contract §3). ERR_UNPROCESSABLE_ENTITY with fresh figures in `data` where the claimed ones differ, and where it is too late; ERR_SERVICE_UNAVAILABLE while it may have been paid already. */
  requestRefund(body: BodyOf<"requestRefund">): Promise<Order>;
  /** ERR_NOT_FOUND_E for an unknown order and for a token that was not sent for it. */
  stopRefund(orderId: string, token: string): Promise<AnswerOf<"stopRefund">>;
  /** The order as it is then (contract §3). ERR_UNPROCESSABLE_ENTITY with a fresh offer in `data.offer` where that on record has ended or the market has left it. */
  acceptRateModeChange(body: BodyOf<"acceptRateModeChange">): Promise<Order>;
  /** With `destinationAddress` the quoted fee is fixed for a while; by the id alone nothing is written. */
  refundInfo(orderId: string, destinationAddress?: string): Promise<AnswerOf<"refundInfo">>;
  /** What the sandbox needs to pay an order's deposit address; null for an unknown order. */
  depositTarget(orderId: string): Promise<SandboxPayment | null>;
};
