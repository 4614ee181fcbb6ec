import { useState } from "react";
import type { Order } from "#contract/order.ts";
import { useTranslation } from "react-i18next";
import { LiveRegion } from "../../../shared/ui/index.ts";
import { coinText } from "../amount-text.ts";
import type { OrderView } from "../model/order-view.ts";
import { useScreenHaptics } from "../use-screen-haptics.ts";

type StateProps = { readonly order: Order; readonly view: OrderView };

/** Tells screen readers each state that the order comes to; the one that the page opened with is read with the page. */
export function StateAnnouncement({ order, view }: StateProps) {
  const text = useStateWords(order, view);
  useScreenHaptics(view.screen);
  const [first] = useState(text);
  const [hasMoved, setMoved] = useState(false);
  if (!hasMoved && text !== first) setMoved(true);
  return <LiveRegion text={hasMoved ? text : ""} />;
}

function useStateWords({ pair }: Order, { screen, receipt }: OrderView): string {
  const { t } = useTranslation("order");
  const { instrumentFrom, instrumentTo } = pair;
  const delivered = receipt?.delivered ?? "0";
  switch (screen) {
    case "preparing":
      return t("preparing.title");
    case "send":
      return t("timeline.waiting");
    case "expired":
      return `${t("expired.title")}. ${t("expired.address")}`;
    case "choice":
      return `${t("choice.title")}. ${t("choice.next")}`;
    case "completed":
      return `${t("receipt.sentToYou")}: ${coinText(delivered, instrumentTo)}`;
    case "refunded":
      return `${t("receipt.returned")}: ${coinText(delivered, instrumentFrom)}`;
    case "processing":
    case "refund":
      // The ring tells its own count.
      return "";
  }
}
