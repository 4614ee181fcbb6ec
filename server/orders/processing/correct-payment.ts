import { OperatorError } from "../../admin/index.ts";
import type { CorrectPayment } from "../../treasury/port.ts";
import { decide } from "../decisions/decide.ts";
import { evolve } from "../decisions/evolve.ts";
import type { OrderState } from "../decisions/order.ts";
import { appendEvents, lockOrder } from "./store.ts";

/**
 * Makes an order say what it was paid, by a payment that was made before its amount was decided. Locks the order: its payment is locked
 * after it. Throws `OperatorError` where the order can't have been paid that.
 */
export const correctPayment: CorrectPayment = async (transaction, { orderId, ...paid }) => {
  const order = await lockOrder(transaction, orderId);
  if (order === null) throw new OperatorError(`There is no order ${orderId}.`);
  const { events } = decide({ kind: "correct_payment", ...paid }, order.state);
  if (events.length === 0)
    throw new OperatorError(`${paid.txId} is no payment of order ${orderId}: ${why(order.state, paid)}.`);
  const state = events.reduce<OrderState>(evolve, order.state);
  await appendEvents(transaction, order, events, { ...order, state });
};

const why = (state: OrderState, { purpose, amount }: { purpose: string; amount: bigint }): string =>
  purpose === "refund" && (state.kind === "refunding" || state.kind === "refunded") && amount > state.refund.received
    ? "that is more than it received"
    : `the order is ${state.kind}`;
