import { useRef, useState } from "react";
import type { Order } from "#contract/order.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import type { RefundInfo } from "../model/choice/choice.ts";
import type { RequestResult } from "./customer-requests.ts";

type Failure = Extract<RequestResult, { failure: unknown }>["failure"];

export type CustomerRequest = {
  isSending: boolean;
  failure: Failure | null;
  /** Sends one request at a time, whatever is pressed meanwhile. */
  send: (ask: () => Promise<RequestResult>) => Promise<void>;
  forget: () => void;
};

export type OrderUpdates = {
  /** Shows an order that came as an answer. */
  onOrder: (order: Order) => void;
  /** Looks at the order again. */
  onChanged: () => Promise<void>;
};

/** What the customer requests of an order: the answer is shown at once, and after any failure the order is fetched again. */
export function useCustomerRequest(
  { onOrder, onChanged }: OrderUpdates,
  put: (info: RefundInfo) => void,
): CustomerRequest {
  const isRunning = useRef(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const settle = (result: RequestResult) => {
    if ("order" in result) {
      onOrder(result.order);
      return;
    }
    setFailure(result.failure);
    playHaptic("failed");
    if ("info" in result.failure) put(result.failure.info);
    void onChanged();
  };
  const send = async (ask: () => Promise<RequestResult>) => {
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
