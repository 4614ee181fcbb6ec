import type { Order } from "#contract/order.ts";
import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { PrimaryAction } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import { RequestError, useBlockedLabel } from "../refund/request-error.tsx";
import { useOpenChoice } from "./choice-context.tsx";

export type ChoiceActionProps = { readonly order: Order };

/** Names the sum that it acts on; until something is chosen it says so and does nothing. */
export function ChoiceAction({ order }: ChoiceActionProps) {
  const { t } = useTranslation("order");
  const { choice, request, submit } = useOpenChoice();
  const { label, canAct } = useActionLabel(order);
  const isUndone = choice.chosen === null && (choice.before.accept !== null || choice.before.refund !== null);
  const mayMove = choice.shown.offer !== null && choice.chosen !== "refund";
  return (
    <>
      <RequestError failure={request.failure} />
      <p className="w-order-choice__caption" role="status">
        {isUndone ? t("choice.undone") : mayMove ? t("choice.caption") : null}
      </p>
      <PrimaryAction
        stretched
        disabled={!canAct}
        busyLabel={request.isSending ? t(choice.chosen === "accept" ? "choice.accepting" : "refund.asking") : null}
        onClick={submit}
      >
        {label}
      </PrimaryAction>
    </>
  );
}

function useActionLabel({ pair }: Order): { label: string; canAct: boolean } {
  const { t } = useTranslation("order");
  const isOnline = useOnline();
  const { choice, form } = useOpenChoice();
  const stop = useBlockedLabel(form.blockers);
  const { chosen, shown } = choice;
  if (!isOnline) return { label: t("stale.waiting"), canAct: false };
  if (chosen === "accept" && shown.offer !== null) {
    return { label: t("choice.do", { amount: coinText(shown.offer.amountToGet, pair.instrumentTo) }), canAct: true };
  }
  if (chosen === "refund" && shown.refund !== null) {
    const amount = coinText(shown.refund.refundAmountWithoutNetworkFee, pair.instrumentFrom);
    return { label: stop ?? t("refund.do", { amount }), canAct: stop === null };
  }
  return { label: t("choice.none"), canAct: false };
}
