import { CodedError } from "#contract/errors.ts";
import type { DomainEvent, OrderState, Recipient } from "./order.ts";

const refuse = (message: string) => new CodedError("ERR_UNPROCESSABLE_ENTITY", message);

/** Until when a refund waits: one to an address that was not given at creation, whose owner can be notified and may stop it (contract §3). */
export const refundHeldUntil = ({ terms }: OrderState, at: Date, refundDelaySeconds: number): Date | null =>
  terms.refund !== null || refundDelaySeconds === 0 ? null : new Date(at.getTime() + refundDelaySeconds * 1000);

/** What keeps a requested refund from being paid; null where nothing does. */
export function refundWait(
  { heldUntil, isStopped }: Extract<OrderState, { kind: "refund_requested" }>,
  at: Date,
): "refund_stopped" | "refund_delayed" | null {
  if (isStopped === true) return "refund_stopped";
  return heldUntil !== undefined && at < heldUntil ? "refund_delayed" : null;
}

/** Its owner stops a refund that has not been paid: it waits for an operator. Stopping it again decides nothing. */
export function decideStop({ at }: { at: Date }, state: OrderState): DomainEvent[] {
  if (state.kind === "refunding" || state.kind === "refunded") throw refuse("The refund is on its way already");
  if (state.kind !== "refund_requested" || state.heldUntil === undefined) throw refuse("No refund waits to be stopped");
  return state.isStopped === true ? [] : [{ kind: "REFUND_STOPPED", data: {}, at }];
}

/** A refund that waits begins to wait anew, never for less long than before. */
export function decideDelay(
  { refundDelaySeconds, at }: { refundDelaySeconds: number; at: Date },
  state: OrderState,
): DomainEvent[] {
  if (state.kind !== "refund_requested" || state.heldUntil === undefined || state.isStopped === true) return [];
  const anew = refundHeldUntil(state, at, refundDelaySeconds);
  const heldUntil = anew !== null && anew > state.heldUntil ? anew : state.heldUntil;
  return [{ kind: "REFUND_DELAYED", data: { heldUntil }, at }];
}

/** An operator lets a stopped refund go on, to the address that was asked for or to another one. */
export function decideRelease({ to, at }: { to: Recipient | null; at: Date }, state: OrderState): DomainEvent[] {
  if (state.kind !== "refund_requested" || state.isStopped !== true) return [];
  return [{ kind: "REFUND_RELEASED", data: { to: to ?? state.to }, at }];
}
