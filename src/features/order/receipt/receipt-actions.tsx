import { useTranslation } from "react-i18next";
import { useEffect, useState } from "react";
import type { Order } from "#contract/order.ts";
import { stepIndex } from "#contract/order-progress.ts";
import { Button, Icon } from "../../../shared/ui/index.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import type { Saved } from "../../../telegram/save-file.ts";
import { useOrderLink } from "../page/order-head.tsx";
import { useShareOrder } from "../page/use-share-order.ts";
import type { ReceiptText } from "../model/receipt-text.ts";
import { loadTelegramClient } from "../../../telegram/load-client.ts";
import "./receipt.css";

type ReceiptActionsProps = { readonly order: Order; readonly text: ReceiptText };

/** What can be done with a receipt: its link handed on, its PDF saved; after an exchange, the app kept at hand. */
export function ReceiptActions({ order, text }: ReceiptActionsProps) {
  const { t } = useTranslation("order");
  const { message, share } = useShareOrder(order);
  return (
    <div className="w-order-receipt-actions">
      <Button variant="outline" icon={<Icon name="share" size={18} />} onClick={() => void share()}>
        {message || t("receipt.share")}
      </Button>
      <SaveButton order={order} text={text} />
      {stepIndex(order.orderEvents) === 3 ? <HomeScreenOffer /> : null}
      <span className="w-visually-hidden" role="status">
        {message}
      </span>
    </div>
  );
}

/** Makes the PDF on the device; its code and fonts load with the first press. */
function SaveButton({ order, text }: ReceiptActionsProps) {
  const { t } = useTranslation("order");
  const locale = useLocale();
  const pageUrl = useOrderLink(order);
  const [state, setState] = useState<"idle" | "saving" | "failed" | Saved>("idle");
  const save = async () => {
    setState("saving");
    try {
      const { saveReceipt } = await import("./save-receipt.ts");
      const { reference } = order;
      setState(await saveReceipt({ text, title: t("receipt.title", { reference }), reference, locale, pageUrl }));
    } catch (error) {
      console.warn("the receipt's PDF can't be made", error);
      setState("failed");
    }
  };
  // The share sheet is its own answer.
  const isSilent = state === "idle" || state === "saving" || state === "shared";
  return (
    <>
      <Button
        variant="outline"
        icon={<Icon name="download" size={18} />}
        // A figure that still loads would be missing in the file.
        disabled={text.lines.some(({ value }) => value === null)}
        busyLabel={state === "saving" ? t("receipt.saving") : null}
        onClick={() => void save()}
      >
        {t("receipt.save")}
      </Button>
      <p className="w-order-receipt-actions__message" role="status">
        {isSilent ? "" : t(`receipt.${state}`)}
      </p>
    </>
  );
}

/** Offers a place on the device's home screen where Telegram around this page can give one. */
function HomeScreenOffer() {
  const { t } = useTranslation("order");
  const [isOffered, setOffered] = useState(false);
  useEffect(
    () =>
      abortOnCleanup(async (signal) => {
        const can = await (await loadTelegramClient())?.canAddToHomeScreen();
        if (!signal.aborted) setOffered(can === true);
      }),
    [],
  );
  const add = async () => {
    // The result is not always known.
    setOffered(false);
    (await loadTelegramClient())?.addToHomeScreen();
  };
  return isOffered ? (
    <Button variant="outline" onClick={() => void add()}>
      {t("receipt.homeScreen")}
    </Button>
  ) : null;
}
