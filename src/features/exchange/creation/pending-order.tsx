import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { orderPath } from "#contract/links/order-path.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { useClosingConfirmation } from "../../../telegram/closing-confirmation.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { BoatIllustration, BottomBar, Button, Spinner } from "../../../shared/ui/index.ts";
import type { OrderBody } from "../model/order-body.ts";
import { sendOrder } from "../api.ts";
import { trackInitiated, retryAttempt, type SendOrder } from "./send-attempt.ts";
import { type Attempt, saveAttempt, leaveAttempt, readAttempt } from "./attempt.ts";
import { leaveFailure } from "./creation-result.ts";
import "./pending-order.css";

/** `/order/pending` after a reload or a lost answer (spec §2): the same order is asked for until it is there. */
export function PendingOrder({ otherwise }: { readonly otherwise: ReactNode }) {
  const { t } = useTranslation("exchange");
  const { attempt, isUnanswered } = usePendingCreation();
  const isOnline = useOnline();
  useClosingConfirmation(attempt !== null);
  if (attempt === null) return otherwise;
  const state = !isOnline ? "offline" : isUnanswered ? "unanswered" : "asking";
  return (
    <div className="w-pending w-page">
      <BoatIllustration />
      <h1 className="w-pending__title">{t("pending.title")}</h1>
      <Sum body={attempt.body} />
      {state === "asking" ? <Spinner label={t("pending.asking")} isLabelShown /> : null}
      <p role="status">{state === "asking" ? null : t(`pending.${state}`)}</p>
      <p className="w-pending__text">{t("pending.text")}</p>
      <BottomBar>
        <Button variant="soft" stretched href={attempt.returnTo}>
          {t("pending.back")}
        </Button>
      </BottomBar>
    </div>
  );
}

function Sum({ body }: { readonly body: OrderBody }) {
  const { t } = useTranslation("exchange");
  const { rateMode, instrumentFrom, instrumentTo, claimedDepositAmount, claimedPublicRate } = body;
  return (
    <p className="w-pending__sum w-number">
      {t(rateMode === "FIXED" ? "destination.sum" : "destination.sumAbout", {
        give: formatCrypto(claimedDepositAmount, 18),
        from: instrumentFrom.currencyTitle,
        get: formatCrypto(claimedPublicRate.claimedAmountToReceive),
        to: instrumentTo.currencyTitle,
      })}
    </p>
  );
}

/** The attempt that was cut off, asked for until it is known: then its order's page, or its form with what went wrong. */
function usePendingCreation(): { attempt: Attempt | null; isUnanswered: boolean } {
  const [attempt] = useState(readAttempt);
  const [isUnanswered, setUnanswered] = useState(false);
  const [, navigate] = useLocation();
  useEffect(() => {
    if (attempt === null) return undefined;
    const { signal, abort } = follow();
    const send: SendOrder = (body, idempotencyKey) => sendOrder(body, idempotencyKey, signal);
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
