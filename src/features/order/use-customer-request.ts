import { useRef, useState } from "react";
import type { Order } from "#contract/order.ts";
import { playHaptic } from "../../shared/browser/haptics.ts";
import type { RefundInfo } from "./model/choice.ts";
import type { Outcome } from "./customer-requests.ts";

type Failure = Extract<Outcome, { failure: unknown }>["failure"];

export type CustomerRequest = {
  isSending: boolean;
  failure: Failure | null;
  /** Sends one request at a time, whatever is pressed meanwhile. */
  send: (ask: () => Promise<Outcome>) => Promise<void>;
  forget: () => void;
};

export type OrderUpdates = {
  /** Shows an order that came as an answer. */
  onOrder: (order: Order) => void;
  /** Looks at the order again. */
  onChanged: () => Promise<void>;
};

/** What its owner asks of an order: the answer is shown at once, and after any failure the order is looked at again. */
export function useCustomerRequest(
  { onOrder, onChanged }: OrderUpdates,
  put: (info: RefundInfo) => void,
): CustomerRequest {
  const isRunning = useRef(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const settle = (outcome: Outcome) => {
    if ("order" in outcome) {
      onOrder(outcome.order);
      return;
    }
    setFailure(outcome.failure);
    playHaptic("failed");
    if ("info" in outcome.failure) put(outcome.failure.info);
    void onChanged();
  };
  const send = async (ask: () => Promise<Outcome>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setSending(true);
    setFailure(null);
    try {
      settle(await ask());
    } finally {
      isRunning.current = false;
      setSending(false);
    }
  };
  return { isSending, failure, send, forget: () => setFailure(null) };
}
