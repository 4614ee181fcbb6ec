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
  const { choice, request, submit, stop } = useOpenChoice();
  const { label, canAct } = useActionLabel(order);
  const isUndone = choice.chosen === null && (choice.before.accept !== null || choice.before.refund !== null);
  const mayMove = choice.shown.offer !== null && choice.chosen === "accept" && stop !== "ended";
  const caption = choice.isRenewed ? "choice.renewed" : isUndone ? "choice.undone" : mayMove ? "choice.caption" : null;
  return (
    <>
      <RequestError failure={request.failure} />
      <p className="w-order-choice__caption" role="status">
        {caption === null ? null : t(caption)}
      </p>
      <PrimaryAction
        stretched
        disabled={!canAct}
        busyLabel={request.isSending && choice.chosen !== null ? t(BUSY[choice.chosen]) : null}
        onClick={submit}
      >
        {label}
      </PrimaryAction>
    </>
  );
}

const BUSY = { accept: "choice.accepting", refund: "refund.asking" } as const;

function useActionLabel({ pair }: Order): { label: string; canAct: boolean } {
  const { t } = useTranslation("order");
  const isOnline = useOnline();
  const { choice, form, stop } = useOpenChoice();
  const blocked = useBlockedLabel(form.blockers);
  const { chosen, shown } = choice;
  if (!isOnline) return { label: t("stale.waiting"), canAct: false };
  if (chosen === "accept" && shown.offer !== null) {
    if (stop === "no-block") return { label: t("choice.waitsForBlock"), canAct: false };
    return { label: t("choice.do", { amount: coinText(shown.offer.amountToGet, pair.instrumentTo) }), canAct: true };
  }
  if (chosen === "refund" && shown.refund !== null) {
    const amount = coinText(shown.refund.refundAmountWithoutNetworkFee, pair.instrumentFrom);
    return { label: blocked ?? t("refund.do", { amount }), canAct: blocked === null };
  }
  return { label: t("choice.none"), canAct: false };
}
