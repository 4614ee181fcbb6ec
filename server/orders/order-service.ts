import type { Transaction } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { orderIdSchema } from "#contract/order.ts";
import { equalsInConstantTime } from "../base/secrets.ts";
import { createTurns, type TurnLimits } from "../base/concurrency/turns.ts";
import { isArchived } from "../db/archived-orders.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { acceptRateModeChange, requestRefund, type ChoiceParts } from "./choices.ts";
import { claimOrder } from "./creation/claim.ts";
import { createOrder, type CreateParts } from "./creation/create.ts";
import { createdMessage } from "./customer-messages.ts";
import { enqueueFirstMail } from "./creation/first-mail.ts";
import { createOrderOpener } from "./creation/open-orders.ts";
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

  /** An unknown order and a wrong address give the same error (contract §1). */
  const open = async (orderId: string, destinationAddress: string, look = find): Promise<ViewedOrder> => {
    const found = await look(orderId);
    const network = found?.state.terms.to.networkTitle ?? [...parts.readers.keys()][0];
    const reader = network === undefined ? undefined : parts.readers.get(network);
    const parsed = reader?.parseAddress(destinationAddress.trim());
    const given = parsed?.valid === true ? parsed.canonical : destinationAddress;
    const isSame = equalsInConstantTime(given, found?.state.terms.destination.address ?? "");
    if (found === null || !isSame) throw notFound();
    return found;
  };

  const { latest, stats } = createPublicFeed(parts, parts.publicFeed ?? { freshMs: 0, batchMs: 0 });

  return {
    async create(body, client) {
      const rows = await createOrder(creating, body, client);
      parts.onCreated?.();
      // Its first mail.
      if (rows.userEmail !== null) parts.onJobs();
      return presentOrder(parts, rows);
    },
    info: async (orderId, destinationAddress) => (await open(orderId, destinationAddress, findShown)).order,
    async claim(owner, orders) {
      const claimed: string[] = [];
      for (const { orderId, destinationAddress } of orders) {
        const isOpened = () => open(orderId, destinationAddress);
        if (await claimOrder(parts.database, owner, orderId, parts.clock.now(), isOpened)) claimed.push(orderId);
      }
      if (claimed.length > 0) parts.onJobs();
      return claimed;
    },
    latest,
    stats,

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
      if (terms === undefined) return null;
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
