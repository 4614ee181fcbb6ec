import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { Button, Dialog, PrimaryAction } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import { requestRefund } from "../requests/customer-requests.ts";
import { type OrderUpdates, useCustomerRequest } from "../requests/use-customer-request.ts";
import { useRefundInfo } from "../page/use-order.ts";
import { useChoiceOf } from "../choice/choice-context.tsx";
import { RefundFields } from "./refund-fields.tsx";
import { useRefundForm } from "./use-refund-form.ts";
import { RefundSum } from "./refund-sum.tsx";
import { RequestError, useBlockedLabel } from "./request-error.tsx";
import "./refund.css";

type RefundDialogProps = {
  readonly order: Order;
  readonly updates: OrderUpdates;
  readonly open: boolean;
  readonly onClose: () => void;
};

/** Says what comes back, less which fee and where to, and asks for it on one press. */
export function RefundDialog({ order, updates, open, onClose }: RefundDialogProps) {
  const { t } = useTranslation("order");
  const figures = useRefundInfo(order, open);
  const form = useRefundForm(order, figures.info);
  const request = useCustomerRequest(order, updates, figures.put);
  const { shown, before } = useChoiceOf(order, figures.info).choice;
  const stop = useBlockedLabel(form.blockers);
  const { instrumentFrom } = order.pair;

  const ask = () => {
    const info = shown.refund;
    const { recipient } = form;
    if (form.submit() && info !== null)
      void request.send({ kind: "refund", recipient }, () => requestRefund(order, recipient, info));
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("refund.ask")}
      footer={
        <>
          <RequestError failure={request.failure} />
          {figures.info === "failed" ? (
            <Button variant="soft" stretched onClick={figures.retry}>
              {t("stale.retry")}
            </Button>
          ) : (
            <PrimaryAction
              stretched
              onClick={ask}
              disabled={stop !== null}
              busyLabel={request.isSending ? t("refund.asking") : null}
            >
              {stop ??
                t("refund.do", {
                  amount: coinText(shown.refund?.refundAmountWithoutNetworkFee ?? "0", instrumentFrom),
                })}
            </PrimaryAction>
          )}
        </>
      }
    >
      <form
        className="w-order-refund"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <div>
          <p className="w-order-summary__label">{t("choice.refund")}</p>
          {figures.info === "failed" && shown.refund === null ? (
            <p>{t("choice.refundUnknown")}</p>
          ) : (
            <RefundSum
              order={order}
              amount={shown.refund?.refundAmountWithoutNetworkFee ?? null}
              before={before.refund}
            />
          )}
          {shown.refund === null ? null : (
            <p className="w-order-refund__hint">
              {t("choice.refundFee", { amount: coinText(shown.refund.networkFee, instrumentFrom) })}
            </p>
          )}
        </div>
        <p className="w-order-refund__text">{t("refund.askText")}</p>
        <RefundFields order={order} form={form} request={request} />
      </form>
    </Dialog>
  );
}
