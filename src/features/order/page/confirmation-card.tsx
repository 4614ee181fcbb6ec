import type { ReactNode } from "react";
import type { Order } from "#contract/order.ts";
import { formatAbout } from "../../../shared/format/format-time.ts";
import { useTranslation } from "react-i18next";
import { ConfirmationRing, LiveRegion } from "../../../shared/ui/index.ts";
import { type Confirmations, isUnconfirmed } from "../model/view/deposits.ts";
import { isPaymentHeld } from "../model/view/review.ts";
import type { OrderView } from "../model/view/order-view.ts";

export type RingCardProps = { readonly order: Order; readonly view: OrderView };

/** How far the deposit of an exchange is confirmed, and what it waits for. */
export function RingCard({ order, view }: RingCardProps) {
  return <ConfirmationCard confirmations={view.confirmations} {...useRingWords(order, view)} />;
}

type ConfirmationCardProps = {
  readonly confirmations: Confirmations;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
};

/** Blocks counted of blocks needed, and in words what is waited for; changes are announced politely. */
export function ConfirmationCard({ confirmations, title, text, children }: ConfirmationCardProps) {
  const { t } = useTranslation("order");
  const { count, required } = confirmations;
  return (
    <div className="w-order-ring w-order-card">
      <ConfirmationRing count={count} required={required} label={t("ring.confirmations", { count: required })} />
      <h2 className="w-order-ring__title">{title}</h2>
      <p className="w-order-ring__text">{text}</p>
      {children}
      <LiveRegion text={`${t("ring.label", { n: count, count: required })}. ${title}`} />
    </div>
  );
}

function useRingWords(order: Order, view: OrderView): { title: string; text: string } {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const { estimatedSeconds } = order;
  const { instrumentFrom } = order.pair;
  const { count, required } = view.confirmations;
  const payout = view.timeline.find((row) => row.kind === "payout");
  if (payout?.state === "done") return { title: t("ring.sent"), text: t("ring.sentText") };
  if (isPaymentHeld(order)) return { title: t("ring.held"), text: t("ring.close") };
  if (payout?.state === "now") return { title: t("ring.sending"), text: t("ring.sendingText") };
  if (count >= required) return { title: t("ring.confirmed"), text: t("ring.close") };
  if (isUnconfirmed(order)) return { title: t("ring.unconfirmed"), text: t("ring.unconfirmedText") };
  return {
    title: t("ring.waiting", { network: instrumentFrom.networkFriendlyTitle }),
    text:
      estimatedSeconds === null
        ? t("ring.close")
        : sentence(t("ring.left", { duration: formatAbout(common, estimatedSeconds) })),
  };
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
