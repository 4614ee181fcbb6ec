import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { notify } from "../../../shared/page/notifications.ts";
import type { RefundInfo } from "../model/choice/choice.ts";
import { type CustomerAnswer, supersededBy } from "../model/choice/superseded.ts";
import type { RequestResult } from "./customer-requests.ts";

type Failure = Extract<RequestResult, { failure: unknown }>["failure"];

export type CustomerRequest = {
  isSending: boolean;
  failure: Failure | null;
  /** Sends one request at a time, whatever is pressed meanwhile; `answer` is what it asks for. */
  send: (answer: CustomerAnswer, ask: () => Promise<RequestResult>) => Promise<void>;
  forget: () => void;
};

export type OrderUpdates = {
  /** Shows an order that came as an answer. */
  onOrder: (order: Order) => void;
  /** Looks at the order again; gives it as it was last seen. */
  onChanged: () => Promise<Order | undefined>;
};

/**
 * What the customer requests of an order: the answer is shown at once, and after any failure the order is fetched again. One that came
 * too late is said in a notification, since what was pressed has left the page.
 */
export function useCustomerRequest(
  order: Order,
  { onOrder, onChanged }: OrderUpdates,
  put: (info: RefundInfo) => void,
): CustomerRequest {
  const { t } = useTranslation("order");
  const isRunning = useRef(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const notifyIfSuperseded = (answer: CustomerAnswer, now: Order) => {
    const by = supersededBy(answer, order, now);
    if (by !== null) notify({ type: "error", message: t(`requestError.superseded.${by}`) });
  };
  const settle = async (answer: CustomerAnswer, result: RequestResult) => {
    if ("order" in result) {
      onOrder(result.order);
      // An order that has changed since is fetched instead of an acceptance; a refund that was answered with one is taken.
      if (answer.kind === "accept") notifyIfSuperseded(answer, result.order);
      return;
    }
    setFailure(result.failure);
    playHaptic("failed");
    if ("info" in result.failure) put(result.failure.info);
    const now = await onChanged();
    if (now !== undefined) notifyIfSuperseded(answer, now);
  };
  const send = async (answer: CustomerAnswer, ask: () => Promise<RequestResult>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setSending(true);
    setFailure(null);
    try {
      void settle(answer, await ask());
    } finally {
      isRunning.current = false;
      setSending(false);
    }
  };
  return { isSending, failure, send, forget: () => setFailure(null) };
}
