import { keepsPolling } from "#contract/order-progress.ts";
import { useLocale, useT } from "../../../lib/i18n/index.ts";
import { Button, CopyButton, Dialog } from "../../../ui/index.ts";
import type { KeptOrder } from "../kept-orders.ts";
import { orderPath } from "../order-path.ts";

type ForgetDialogProps = {
  /** None while nothing is asked. */
  readonly orders: readonly KeptOrder[];
  readonly onClose: () => void;
  readonly onForget: () => void;
};

/** Asks before orders leave this device, since an unfinished one opens by its link alone; offers that link. */
export function ForgetDialog({ orders, onClose, onForget }: ForgetDialogProps) {
  const t = useT("order");
  const [first, ...others] = orders;
  const isOne = others.length === 0;
  return (
    <Dialog
      open={first !== undefined}
      onClose={onClose}
      title={isOne ? t("list.forgetOne", { reference: first?.order.reference ?? "" }) : t("list.forgetEvery")}
      footer={
        <Button variant="danger" size="l" stretched onClick={onForget}>
          {t(isOne ? "list.do" : "list.doAll")}
        </Button>
      }
    >
      <div className="w-orders__forget">
        <p>{t(isOne ? forgetText(first) : "list.forgetEveryText")}</p>
        {isOne && first !== undefined ? <LinkCopy kept={first} /> : null}
      </div>
    </Dialog>
  );
}

const forgetText = (kept: KeptOrder | undefined) =>
  kept !== undefined && keepsPolling(kept.order.orderEvents, false) ? "list.forgetOpen" : "list.forgetOver";

function LinkCopy({ kept: { order, destinationAddress } }: { readonly kept: KeptOrder }) {
  const t = useT("order");
  const link = location.origin + orderPath(useLocale(), order.orderId, destinationAddress);
  return (
    <CopyButton
      stretched
      value={link}
      label={t("head.copyLink")}
      copiedLabel={t("head.copied")}
      failedLabel={t("head.notCopied")}
    />
  );
}
