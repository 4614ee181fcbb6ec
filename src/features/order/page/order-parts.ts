import type { I18n } from "../../../shared/i18n/create-i18n.ts";
import { type Preloadable, type LazyComponent, lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import type { CardOrderProps } from "../card/pay-card.tsx";
import type { AttentionCardProps } from "../deposit/attention-card.tsx";
import type { NoOrderProps } from "../lookup/no-order.tsx";
import type { ReceiptProps } from "../receipt/receipt-card.tsx";
import { refundAddressField } from "../refund/lazy-refund-address-field.ts";
import type { RefundCardProps } from "../refund/refund-card.tsx";
import type { OrderPageData } from "../load.ts";
import { type Screen, screenOf } from "../model/view/screen.ts";
import type { ChoiceProviderProps } from "../choice/choice-context.tsx";
import type { ChoiceScreenProps } from "../choice/choice-screen.tsx";
import type { ChoiceActionProps } from "../choice/choice-action.tsx";
import type { RingCardProps } from "./confirmation-card.tsx";

// Most orders are read while they wait for their deposit: what other states need comes with them.

const CHOICE = "src/features/order/choice/index.ts";
const choice = () => import("../choice/index.ts");

export const choiceProvider: LazyComponent<ChoiceProviderProps> = lazyWithPreload(
  CHOICE,
  async () => (await choice()).ChoiceProvider,
);
export const choiceScreen: LazyComponent<ChoiceScreenProps> = lazyWithPreload(
  CHOICE,
  async () => (await choice()).ChoiceScreen,
);
export const choiceAction: LazyComponent<ChoiceActionProps> = lazyWithPreload(
  CHOICE,
  async () => (await choice()).ChoiceAction,
);

export const ringCard: LazyComponent<RingCardProps> = lazyWithPreload(
  "src/features/order/page/confirmation-card.tsx",
  async () => (await import("./confirmation-card.tsx")).RingCard,
);

export const attentionCard: LazyComponent<AttentionCardProps> = lazyWithPreload(
  "src/features/order/deposit/attention-card.tsx",
  async () => (await import("../deposit/attention-card.tsx")).AttentionCard,
);

export const refundCard: LazyComponent<RefundCardProps> = lazyWithPreload(
  "src/features/order/refund/refund-card.tsx",
  async () => (await import("../refund/refund-card.tsx")).RefundCard,
);

export const receipt: LazyComponent<ReceiptProps> = lazyWithPreload(
  "src/features/order/receipt/receipt-card.tsx",
  async () => (await import("../receipt/receipt-card.tsx")).ReceiptPart,
);

const CARD = "src/features/order/card/index.ts";
const card = () => import("../card/index.ts");

export const payCard: LazyComponent<CardOrderProps> = lazyWithPreload(CARD, async () => (await card()).PayCard);
export const providerCard: LazyComponent<CardOrderProps> = lazyWithPreload(
  CARD,
  async () => (await card()).ProviderCard,
);
export const stateCard: LazyComponent<CardOrderProps & { readonly screen: Screen }> = lazyWithPreload(
  CARD,
  async () => (await card()).StateCard,
);
export const cardTerms: LazyComponent<CardOrderProps> = lazyWithPreload(CARD, async () => (await card()).TermsRows);
const CARD_PARTS: readonly Preloadable[] = [payCard, providerCard, stateCard, cardTerms, receipt];

export const noOrder: LazyComponent<NoOrderProps> = lazyWithPreload(
  "src/features/order/lookup/no-order.tsx",
  async () => (await import("../lookup/no-order.tsx")).NoOrder,
);

const PARTS: Record<Screen, readonly Preloadable[]> = {
  preparing: [],
  send: [],
  rate_ended: [],
  expired: [],
  processing: [ringCard],
  attention: [attentionCard],
  choice: [choiceProvider, choiceScreen, choiceAction],
  refund: [refundCard],
  completed: [receipt],
  refunded: [receipt],
};

/** The parts that the first render of these data needs. */
export function partsOf(data: OrderPageData): readonly Preloadable[] {
  if (data.kind !== "found") return [noOrder];
  return data.order.card === null ? PARTS[screenOf(data.order, Date.parse(data.order.createdAt))] : CARD_PARTS;
}

/** Brings every state's part, before the order comes to it. */
export function prefetchParts(i18n: I18n): void {
  for (const part of [...Object.values(PARTS).flat(), noOrder, refundAddressField]) part.prefetch(i18n);
}
