import { CodedError } from "#contract/errors.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import { isSettled } from "../decisions/decide.ts";
import type { OrderService, SandboxPayment } from "../port.ts";
import { type OrderRows, readOrderRows } from "../views/order-rows.ts";
import { beginPayment, beginWait, dueRehearsals, endRehearsal, forgetPayment, type Rehearsal } from "./store.ts";

const AT_ONCE = 50;
/** A program that asks every few seconds sees that its order waits for a choice. */
const CHOOSES_AFTER_MS = 15_000;

export type PlayParts = {
  database: Database;
  clock: Clock;
  log: Log;
  orderService: Pick<OrderService, "depositTarget" | "refundInfo" | "requestRefund">;
  /** Pays from the sandbox's own wallet. */
  pay(payment: SandboxPayment): Promise<void>;
};

/** Acts as the customer of the orders whose outcome was asked for (contract §13). True when something was done. */
export async function playRehearsals(parts: PlayParts): Promise<boolean> {
  let isDone = false;
  for (const rehearsal of await dueRehearsals(parts.database, parts.clock.now(), AT_ONCE))
    isDone = (await play(parts, rehearsal)) || isDone;
  return isDone;
}

async function play(parts: PlayParts, rehearsal: Rehearsal): Promise<boolean> {
  const { database, clock } = parts;
  const rows = await readOrderRows(database, rehearsal.orderId);
  const isOver = rows === null || isSettled(rows.state) || rows.state.kind === "refund_requested";
  if (!isOver && !rehearsal.isPaid) return payDeposit(parts, rehearsal);
  if (!isOver && rehearsal.outcome === "refund") {
    if (!waitsForCustomer(rows)) return false;
    const { waitsSince } = rehearsal;
    if (waitsSince === null) await beginWait(database, rehearsal.orderId, clock.now());
    return (
      waitsSince !== null &&
      clock.now().getTime() - waitsSince.getTime() >= CHOOSES_AFTER_MS &&
      askForRefund(parts, rows)
    );
  }
  await endRehearsal(database, rehearsal.orderId, clock.now());
  return true;
}

async function payDeposit({ database, clock, log, ...parts }: PlayParts, rehearsal: Rehearsal): Promise<boolean> {
  const { orderId, amount } = rehearsal;
  const target = await parts.orderService.depositTarget(orderId);
  if (target === null || !(await beginPayment(database, orderId, clock.now()))) return false;
  try {
    await parts.pay({ ...target, amount });
    return true;
  } catch (error) {
    log.warn({ err: error, orderId }, "the sandbox could not pay an order; it tries again");
    await forgetPayment(database, orderId);
    return false;
  }
}

const waitsForCustomer = ({ state, wait }: OrderRows): boolean =>
  state.kind === "awaiting_choice" || wait === "under_minimum" || wait === "over_maximum";

async function askForRefund({ orderService, log }: PlayParts, { id: orderId, state }: OrderRows): Promise<boolean> {
  const { destination, refund } = state.terms;
  if (refund === null) return false;
  const destinationAddress = destination.address;
  const { refundAmountWithoutNetworkFee: refundAmount, networkFee: claimedNetworkFee } = await orderService.refundInfo(
    orderId,
    destinationAddress,
  );
  const to = { refundAddress: refund.address, refundAddressMemo: refund.memo };
  try {
    await orderService.requestRefund({ orderId, destinationAddress, ...to, refundAmount, claimedNetworkFee });
    return true;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    log.warn({ err: error, orderId }, "the sandbox could not ask for a refund; it tries again");
    return false;
  }
}
