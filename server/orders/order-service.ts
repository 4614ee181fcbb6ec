import type { Transaction } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { orderIdSchema } from "#contract/order.ts";
import { equalsInConstantTime } from "../base/secrets.ts";
import { createTurns, type TurnLimits } from "../base/concurrency/turns.ts";
import { isArchived } from "../db/archived-orders.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { acceptRateModeChange, requestRefund, type ChoiceParts } from "./choices.ts";
import type { CardProvider, CardRates } from "../card/port.ts";
import type { Rates } from "../rates/port.ts";
import { createCardOrder } from "./card/create.ts";
import { claimOrders, type Claimable } from "./creation/claim.ts";
import { createOrder, turnOf, type CreateParts } from "./creation/create.ts";
import { createdMessage } from "./customer-messages.ts";
import { enqueueFirstMail } from "./creation/first-mail.ts";
import { createOrderOpener } from "./creation/open-orders.ts";
import { findPartnerOrder, findPartnerState, listPartnerOrders } from "./partner-orders.ts";
import { createOrderHistory } from "./history/history.ts";
import type { OrderViews, ViewedOrder } from "./views/order-views.ts";
import { requirePayable } from "./creation/payable.ts";
import type { OrderService } from "./port.ts";
import { parseRequestedRefund } from "./creation/recipients.ts";
import { stopRefund, type RefundHoldParts } from "./refunds/refund-hold.ts";
import { quoteRefund, showRefund } from "./refunds/refund-quote.ts";
import { createPublicFeed, type PublicFeedTiming } from "./views/public-feed.ts";
import { readOrder, presentOrder, type ReadParts } from "./views/read.ts";
import { lockOrder } from "./processing/store.ts";

export type OrderServiceParts = Omit<CreateParts, "openOrder" | "turns"> &
  ReadParts &
  ChoiceParts &
  RefundHoldParts & {
    /** Called when a call made jobs due. */
    onJobs(): void;
    onCreated?: () => void;
    /** Absent where no cards are taken. */
    cards?: {
      provider: CardProvider;
      rates: CardRates;
      publicUrl: string;
      miniAppUrl: string | null;
      priceUsd: Rates["priceUsd"];
      askSeconds: number;
    };
    /** Absent where each call reads the rows. */
    views?: OrderViews;
    /** Absent where each figure is shown at once. */
    publicFeed?: PublicFeedTiming;
  };

/** Half of a process's connections: calls that wait for locks leave the others to calls that don't. */
const TURNS: TurnLimits = { atATime: 8, waitMs: 10_000 };

const notFound = () => new CodedError("ERR_NOT_FOUND_E", "Order not found or destination address incorrect");

/** Whoever knows the id alone brings no order back from the archive. */
const endedLongAgo = () =>
  new CodedError("ERR_UNPROCESSABLE_ENTITY", "The order ended long ago: its email needs its destination address");

/** Every call of a customer about orders. */
export function createOrderService(parts: OrderServiceParts): OrderService {
  const turns = createTurns(TURNS);
  const creating: CreateParts = { ...parts, turns, openOrder: createOrderOpener(parts.database, parts.probe) };
  const inTurnOf = <Result>(orderId: string, work: () => Promise<Result>) => turns(`order ${orderId}`, work);
  const find = async (orderId: string) => {
    if (!orderIdSchema.safeParse(orderId).success) return null;
    return readOrder(parts, orderId);
  };
  /** As it was a moment ago; what follows from it is only shown. */
  const findShown = async (orderId: string) => {
    if (parts.views === undefined || !orderIdSchema.safeParse(orderId).success) return find(orderId);
    return parts.views.find(orderId, find);
  };

  /** Whether the address, in any form of its network, is the order's. */
  const paysTo = (to: { networkTitle: string | undefined; address: string }, destinationAddress: string): boolean => {
    const reader = to.networkTitle === undefined ? undefined : parts.readers.get(to.networkTitle);
    const parsed = reader?.parseAddress(destinationAddress.trim());
    return equalsInConstantTime(parsed?.valid === true ? parsed.canonical : destinationAddress, to.address);
  };

  /** An unknown order and a wrong address give the same error (contract §1). */
  const open = async (orderId: string, destinationAddress: string, look = find): Promise<ViewedOrder> => {
    const found = await look(orderId);
    const networkTitle = found?.state.terms.to.networkTitle ?? [...parts.readers.keys()][0];
    const isSame = paysTo({ networkTitle, address: found?.state.terms.destination.address ?? "" }, destinationAddress);
    if (found === null || !isSame) throw notFound();
    return found;
  };

  const publicFeed = createPublicFeed(parts, parts.publicFeed ?? { freshMs: 0, batchMs: 0 });

  return {
    async create(body, client) {
      const rows = await createOrder(creating, body, client);
      parts.onCreated?.();
      // Its first mail, or webhook.
      if (rows.userEmail !== null || client.partner !== undefined) parts.onJobs();
      const { address: depositAddress } = rows.state.terms.deposit;
      return { ...presentOrder(parts, rows), depositAddress };
    },
    async createByCard(body, { email, ...client }) {
      const { cards } = parts;
      if (cards === undefined) throw new CodedError("ERR_PAIR_NOT_ACTIVE", "Card payments are not available");
      if (email === null) throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The account needs an email for this");
      const { provider: cardProvider, rates: cardRates, priceUsd, ...own } = cards;
      const creatingCard = { ...creating, rates: { priceUsd }, cardProvider, cardRates, ...own };
      const rows = await createCardOrder(creatingCard, body, { ...client, email });
      parts.onJobs();
      return presentOrder(parts, rows);
    },
    info: async (orderId, destinationAddress) => (await open(orderId, destinationAddress, findShown)).order,
    async state(orderId) {
      const found = orderIdSchema.safeParse(orderId).success ? await findPartnerState(parts.database, orderId) : null;
      if (found === null) throw notFound();
      return found;
    },
    async claim(owner, orders, client) {
      const given = Map.groupBy(
        orders.filter(({ orderId }) => orderIdSchema.safeParse(orderId).success),
        ({ orderId }) => orderId,
      );
      const opens = ({ id, ...recipient }: Claimable) =>
        given.get(id)?.some(({ destinationAddress }) => paysTo(recipient, destinationAddress)) === true;
      const claimed = await turns(turnOf(client), () =>
        claimOrders(parts.database, owner, [...given.keys()], parts.clock.now(), opens),
      );
      if (claimed.size > 0) parts.onJobs();
      return [...given.keys()].filter((id) => claimed.has(id));
    },
    ...createOrderHistory(parts),
    partnerOrder: async (userId, orderId) =>
      orderIdSchema.safeParse(orderId).success ? findPartnerOrder(parts, userId, orderId) : null,
    partnerOrders: (userId, query) => listPartnerOrders(parts, userId, query),
    ...publicFeed,

    async setEmail(orderId, userEmail, destinationAddress) {
      const isEmailConfirmed = destinationAddress !== undefined;
      if (isEmailConfirmed) await open(orderId, destinationAddress);
      else if (await isArchived(parts.database.kysely, orderId)) throw endedLongAgo();
      const set = async (transaction: Transaction<Schema>) => {
        // Locked, so that later decisions about the order send their messages to this email.
        const order = orderIdSchema.safeParse(orderId).success ? await lockOrder(transaction, orderId) : null;
        if (order === null) throw notFound();
        const { numUpdatedRows } = await transaction
          .updateTable("orders")
          .set({ user_email: userEmail, email_set_at: parts.clock.now(), is_email_confirmed: isEmailConfirmed })
          .where("id", "=", orderId)
          .where((is) =>
            is.or([
              is("email_set_at", "is", null),
              // Whoever knew the id alone keeps nobody from setting their own.
              ...(isEmailConfirmed ? [is("is_email_confirmed", "=", false)] : []),
            ]),
          )
          .executeTakeFirst();
        if (numUpdatedRows === 0n)
          throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The email of this order is already set");
        const message = createdMessage(order.state);
        // The order's first message may have gone to the email that this one replaces, or without a link.
        const first = order.userEmail === null ? message : { ...message, sourceKey: "EMAIL_CONFIRMED" };
        await enqueueFirstMail(parts, transaction, orderId, first);
        return { orderId, isEmailConfirmed };
      };
      const done = await inTurnOf(orderId, () => inTransaction(parts.database, set, parts.probe));
      parts.onJobs();
      return done;
    },

    async requestRefund(body) {
      const { state } = await open(body.orderId, body.destinationAddress);
      const to = parseRequestedRefund(parts.readers, state, body);
      const { networkTitle } = state.terms.from;
      await requirePayable(parts, [{ networkTitle, address: to.address, field: "refundAddress" }]);
      await inTurnOf(body.orderId, () => requestRefund(parts, body, to));
      parts.onJobs();
      return (await open(body.orderId, body.destinationAddress)).order;
    },

    async stopRefund(orderId, token) {
      const stopped = orderIdSchema.safeParse(orderId).success
        ? await inTurnOf(orderId, () => stopRefund(parts, orderId, token))
        : null;
      if (stopped === null) throw new CodedError("ERR_NOT_FOUND_E", "Order not found or token wrong");
      parts.onJobs();
      return stopped;
    },

    async acceptRateModeChange(body) {
      await open(body.orderId, body.destinationAddress);
      await inTurnOf(body.orderId, () => acceptRateModeChange(parts, body.orderId));
      parts.onJobs();
      return (await open(body.orderId, body.destinationAddress)).order;
    },

    async refundInfo(orderId, destinationAddress) {
      if (destinationAddress !== undefined) await open(orderId, destinationAddress);
      const quote = () => inTurnOf(orderId, () => quoteRefund(parts, orderId));
      const read = destinationAddress === undefined ? () => showRefund(parts, orderId) : quote;
      const refund = orderIdSchema.safeParse(orderId).success ? await read() : null;
      if (refund === null) throw notFound();
      return refund;
    },

    async depositTarget(orderId) {
      const terms = (await find(orderId))?.state.terms;
      // A card is charged at its provider.
      if (terms === undefined || terms.deposit.address === "") return null;
      return {
        networkTitle: terms.from.networkTitle,
        slug: terms.from.slug,
        address: terms.deposit.address,
        memo: terms.deposit.memo,
        amount: terms.claimedDepositAmount,
      };
    },
  };
}
