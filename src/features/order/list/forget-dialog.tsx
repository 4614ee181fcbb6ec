import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isOrderOver } from "#contract/order-progress.ts";
import { orderPath } from "#contract/links/order-path.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import type { Popup } from "../../../telegram/popup.ts";
import { usePopup } from "../../../telegram/use-popup.ts";
import { Button, CopyButton, Dialog } from "../../../shared/ui/index.ts";
import type { SavedOrder } from "../store.ts";

const FORGET = "forget";
const COPY = "copy";

type ForgetDialogProps = {
  /** None while nothing is asked. */
  readonly orders: readonly SavedOrder[];
  readonly onClose: () => void;
  readonly onForget: () => void;
};

/**
 * Asks before orders leave this device, since an unfinished one opens by its link alone; offers that link. Inside
 * Telegram its own popup asks.
 */
export function ForgetDialog({ orders, onClose, onForget }: ForgetDialogProps) {
  const { t } = useTranslation("order");
  const [first, ...others] = orders;
  const isOne = others.length === 0;
  const title = isOne ? t("list.forgetOne", { reference: first?.order.reference ?? "" }) : t("list.forgetEvery");
  const message = t(isOne ? forgetText(first) : "list.forgetEveryText");
  const forgets = t(isOne ? "list.do" : "list.doAll");
  // The link can only be copied in a press of this page.
  const [wantsLink, setWantsLink] = useState(false);
  const question: Popup = {
    title,
    message,
    buttons: [
      { id: FORGET, type: "destructive", text: forgets },
      ...(isOne ? [{ id: COPY, type: "default" as const, text: t("head.copyLink") }] : []),
      { id: "cancel", type: "cancel" },
    ],
  };
  const end = (then: () => void) => {
    setWantsLink(false);
    then();
  };
  const asksOurselves = usePopup(first === undefined ? null : question, (id) => {
    if (id === COPY) setWantsLink(true);
    else end(id === FORGET ? onForget : onClose);
  });
  return (
    <Dialog
      open={first !== undefined && (asksOurselves || wantsLink)}
      onClose={() => end(onClose)}
      title={title}
      footer={
        <Button variant="danger" size="l" stretched onClick={() => end(onForget)}>
          {forgets}
        </Button>
      }
    >
      <div className="w-orders__forget">
        <p>{message}</p>
        {isOne && first !== undefined ? <LinkCopy saved={first} /> : null}
      </div>
    </Dialog>
  );
}

const forgetText = (saved: SavedOrder | undefined) =>
  saved !== undefined && !isOrderOver(saved.order) ? "list.forgetOpen" : "list.forgetOver";

function LinkCopy({ saved: { order, destinationAddress } }: { readonly saved: SavedOrder }) {
  const { t } = useTranslation("order");
  const link = location.origin + orderPath(order.orderId, destinationAddress, useLocale());
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
