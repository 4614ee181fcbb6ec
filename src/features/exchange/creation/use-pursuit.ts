import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { orderPath } from "#contract/order-path.ts";
import { call } from "../../../shared/http/http.ts";
import { trackInitiated, retryAttempt, type SendOrder } from "./send-attempt.ts";
import { type Attempt, saveAttempt, leaveAttempt, readAttempt } from "./attempt.ts";
import { leaveFailure } from "./creation-result.ts";

/** The attempt that was cut off, asked for until it is known: then its order's page, or its form with what went wrong. */
export function usePendingCreation(): { attempt: Attempt | null; isUnanswered: boolean } {
  const [attempt] = useState(readAttempt);
  const [isUnanswered, setUnanswered] = useState(false);
  const [, navigate] = useLocation();
  useEffect(() => {
    if (attempt === null) return undefined;
    const { signal, abort } = follow();
    const send: SendOrder = (body, idempotencyKey) => call("createOrder", { body, idempotencyKey, signal });
    const pursue = async () => {
      saveAttempt({ ...attempt, isLeft: false });
      const outcome = await retryAttempt(attempt, send, { signal, onUnanswered: () => setUnanswered(true) });
      if (outcome === null) return;
      if ("order" in outcome) {
        trackInitiated(outcome.order);
        navigate(orderPath(outcome.order.orderId, outcome.order.destinationAddress), { replace: true });
      } else {
        leaveFailure(outcome.failure);
        navigate(attempt.returnTo, { replace: true });
      }
    };
    void pursue();
    return () => {
      abort();
      leaveAttempt();
    };
  }, [attempt, navigate]);
  return { attempt, isUnanswered };
}

function follow() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
