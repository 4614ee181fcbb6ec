import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatCrypto } from "../../../shared/format/format.ts";
import { useClosingConfirmation } from "../../../telegram/closing-confirmation.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { BoatIllustration, BottomBar, Button, Spinner } from "../../../shared/ui/index.ts";
import type { OrderBody } from "../model/order-body.ts";
import { usePendingCreation } from "./use-pursuit.ts";
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
