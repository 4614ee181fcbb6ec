import { useTranslation } from "react-i18next";
import { LiveRegion, Note } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import { eventTime } from "../model/view/order-times.ts";
import { type CardOrder, endOf } from "../model/view/card-view.ts";
import type { Screen } from "../model/view/screen.ts";
import type { CardOrderProps } from "./pay-card.tsx";
import "./card.css";

type StateCardProps = CardOrderProps & { readonly screen: Screen };

/** Where the provider is with an order, in words; changes are announced politely. */
export function StateCard({ order, screen }: StateCardProps) {
  const { t } = useTranslation("order");
  if (isContradicted(order, screen)) return null;
  const { provider, direction } = order.card;
  const amount = coinText(order.claimedDepositAmount, order.pair.instrumentFrom);
  const state = stateOf(order, screen);
  const title = t(`card.state.${state}.title`, { provider, amount });
  const text =
    state === "declined" || state === "failed"
      ? t(`card.state.${state}.text`, { provider })
      : t(`card.state.${state}.text`, { provider, context: direction });
  if (screen === "expired")
    return (
      <Note tone="signal" title={title}>
        {text}
      </Note>
    );
  return (
    <div className="w-order-card w-order-by-card">
      <h2 className="w-order-by-card__title">{title}</h2>
      <p>{text}</p>
      <LiveRegion text={title} />
    </div>
  );
}

/** Its provider has said otherwise since: the note of the review says what is known. */
const isContradicted = ({ card, review }: CardOrder, screen: Screen): boolean =>
  review !== null && (screen === "expired" || card.state === "failed");

const ENDS = { card_ended: "cancelled", card_declined: "declined", card_refused: "failed" } as const;

function stateOf(order: CardOrder, screen: Screen) {
  if (screen === "refunded") return "returned";
  if (screen === "refund") return "returning";
  if (screen === "expired") return ENDS[endOf(order)];
  return eventTime(order, "FUNDS_WITHDRAWAL_START") === null ? "checking" : "sending";
}
