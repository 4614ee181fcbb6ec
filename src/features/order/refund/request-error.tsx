import { useTranslation } from "react-i18next";
import { Icon } from "../../../shared/ui/index.ts";
import type { RefundBlocker } from "../model/choice/refund-form.ts";
import type { CustomerRequest } from "../requests/use-customer-request.ts";
import "./refund.css";

/** Why the last press did not do it, in words, beside the button; what is wrong with the address stands at its field. */
export function RequestError({ failure }: Pick<CustomerRequest, "failure">) {
  const { t } = useTranslation("order");
  if (failure === null || failure.kind === "address") return null;
  return (
    <p className="w-order-request-error" role="alert">
      <Icon name="error" size={16} />
      <span>{t(WORDS[failure.kind])}</span>
    </p>
  );
}

const WORDS = {
  unknown: "requestError.unknown",
  unavailable: "requestError.unavailable",
  "not-sent": "requestError.notSent",
  refused: "requestError.refused",
  "no-block": "requestError.noBlock",
  "refund-changed": "requestError.refundChanged",
  "refund-too-small": "requestError.refundTooSmall",
} as const;

/** What the refund button reads while something that the customer can't change here stops it; null when nothing does. */
export function useBlockedLabel(blockers: readonly RefundBlocker[]): string | null {
  const { t } = useTranslation("order");
  switch (blockers[0]?.kind) {
    case "offline":
      return t("stale.waiting");
    case "figures-loading":
      return t("refund.figuresLoading");
    case "figures-failed":
      return t("choice.refundUnknown");
    case "too-small":
      return t("refund.tooSmall");
    case "address-empty":
    case "address-same":
    case "address-incorrect":
    case "memo-incorrect":
    case undefined:
      return null;
  }
}
