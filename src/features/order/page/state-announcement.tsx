import { useState, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { LiveRegion } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import type { OrderView } from "../model/view/order-view.ts";
import { type Haptic, playHaptic } from "../../../shared/browser/haptics.ts";
import type { Screen } from "../model/view/screen.ts";
import { isCardOrder } from "../model/view/card-view.ts";
import { useStateInView } from "./use-state-in-view.ts";

type StateProps = { readonly order: Order; readonly view: OrderView };

/** Makes each state that the order comes to noticed: said to screen readers, brought into view, felt. The first is read with the page. */
export function StateAnnouncement({ order, view }: StateProps) {
  const state = useStateWords(order, view);
  const { t } = useTranslation("order");
  const held = order.review === null ? "" : t(`review.${order.review.reason}.title`);
  const text = [held, state].filter((part) => part !== "").join(". ");
  useStateHaptics(view.screen, order.review !== null);
  useStateInView(view.screen, order.orderId);
  const [first] = useState(text);
  const [hasMoved, setMoved] = useState(false);
  if (!hasMoved && text !== first) setMoved(true);
  return <LiveRegion text={hasMoved ? text : ""} />;
}

function useStateWords(order: Order, { screen, receipt, mainAction }: OrderView): string {
  const { t } = useTranslation("order");
  const { pair, attention } = order;
  const { instrumentFrom, instrumentTo } = pair;
  const delivered = receipt?.delivered ?? "0";
  if (isCardOrder(order) && screen !== "completed") {
    const { provider, direction } = order.card;
    const isSending = direction === "sell" && mainAction !== "pay_by_card";
    const words = { provider, amount: coinText(order.claimedDepositAmount, instrumentFrom) };
    // Every other state is announced by its own card.
    if (screen !== "send") return "";
    return isSending ? t("card.sell.namedTitle", words) : t(`card.${direction}.title`, words);
  }
  switch (screen) {
    case "preparing":
      return t("preparing.title");
    case "attention":
      return attention === null
        ? ""
        : t(`attention.${attention.reason}.title`, {
            received: coinText(attention.received, instrumentFrom),
            expected: coinText(attention.expected, instrumentFrom),
          });
    case "send":
      return attention === null
        ? t("timeline.waiting")
        : t("attention.tooSmall.title", { received: coinText(attention.received, instrumentFrom) });
    case "rate_ended":
      return `${t("rate_ended.title")}. ${t("rate_ended.address")}`;
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

/** Haptic feedback when an order reaches a screen. */
const HAPTICS: Partial<Record<Screen, Haptic>> = {
  rate_ended: "warning",
  expired: "failed",
  attention: "warning",
  choice: "warning",
  completed: "completed",
  refunded: "completed",
};

/** Plays haptic feedback when the order's screen changes or it begins to be held, not for what its page opened with. */
function useStateHaptics(screen: Screen, isHeld: boolean): void {
  const last = useRef({ screen, isHeld });
  useEffect(() => {
    const before = last.current;
    last.current = { screen, isHeld };
    const haptic = before.screen === screen ? undefined : HAPTICS[screen];
    if (haptic !== undefined) playHaptic(haptic);
    else if (isHeld && !before.isHeld) playHaptic("warning");
  }, [screen, isHeld]);
}
