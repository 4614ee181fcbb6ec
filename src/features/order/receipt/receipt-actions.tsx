import { useTranslation } from "react-i18next";
import { useEffect, useState } from "react";
import type { Order } from "#contract/order.ts";
import { stepIndex } from "#contract/order-progress.ts";
import { Button, Icon } from "../../../shared/ui/index.ts";
import { useShareOrder } from "../page/use-share-order.ts";
import { loadTelegramClient } from "../../../telegram/load-client.ts";
import "./receipt.css";

/**
 * What can be done with a receipt: its link handed on, or the page printed, which browsers also save as a PDF; after an
 * exchange, the app kept at hand.
 */
export function ReceiptActions({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { message, share } = useShareOrder(order);
  return (
    <div className="w-order-receipt-actions">
      <Button variant="outline" icon={<Icon name="share" size={18} />} onClick={() => void share()}>
        {message || t("receipt.share")}
      </Button>
      <Button variant="outline" icon={<Icon name="download" size={18} />} onClick={() => print()}>
        {t("receipt.save")}
      </Button>
      {stepIndex(order.orderEvents) === 3 ? <HomeScreenOffer /> : null}
      <span className="w-visually-hidden" role="status">
        {message}
      </span>
    </div>
  );
}

/** Offers a place on the device's home screen where Telegram around this page can give one. */
function HomeScreenOffer() {
  const { t } = useTranslation("order");
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    let isLeft = false;
    const check = async () => {
      const can = await (await loadTelegramClient())?.canAddToHomeScreen();
      if (!isLeft) setOffered(can === true);
    };
    void check();
    return () => {
      isLeft = true;
    };
  }, []);
  const add = async () => {
    // It isn't always told what came of it.
    setOffered(false);
    (await loadTelegramClient())?.addToHomeScreen();
  };
  return isOffered ? (
    <Button variant="outline" onClick={() => void add()}>
      {t("receipt.homeScreen")}
    </Button>
  ) : null;
}
