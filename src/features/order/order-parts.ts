import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { type Preloadable, type LazyComponent, lazyWithPreload } from "../../shared/page/lazy-with-preload.tsx";
import type { NoOrderProps } from "./components/no-order.tsx";
import type { ReceiptProps } from "./components/receipt-card.tsx";
import type { RefundCardProps } from "./components/refund/refund-card.tsx";
import type { OrderPageData } from "./load.ts";
import { type Screen, screenOf } from "./model/screen.ts";
import type { ChoiceProviderProps } from "./components/choice/choice-context.tsx";
import type { ChoiceScreenProps } from "./components/choice/choice-screen.tsx";
import type { ChoiceActionProps } from "./components/choice/choice-action.tsx";
import type { RingCardProps } from "./components/ring-card.tsx";

// Most orders are read while they wait for their deposit: what other states need comes with them.

const CHOICE = "src/features/order/components/choice/index.ts";
const choice = () => import("./components/choice/index.ts");

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
  "src/features/order/components/ring-card.tsx",
  async () => (await import("./components/ring-card.tsx")).RingCard,
);

export const refundCard: LazyComponent<RefundCardProps> = lazyWithPreload(
  "src/features/order/components/refund/refund-card.tsx",
  async () => (await import("./components/refund/refund-card.tsx")).RefundCard,
);

export const receipt: LazyComponent<ReceiptProps> = lazyWithPreload(
  "src/features/order/components/receipt-card.tsx",
  async () => (await import("./components/receipt-card.tsx")).ReceiptPart,
);

export const noOrder: LazyComponent<NoOrderProps> = lazyWithPreload(
  "src/features/order/components/no-order.tsx",
  async () => (await import("./components/no-order.tsx")).NoOrder,
);

const PARTS: Record<Screen, readonly Preloadable[]> = {
  preparing: [],
  send: [],
  expired: [],
  processing: [ringCard],
  choice: [choiceProvider, choiceScreen, choiceAction],
  refund: [refundCard],
  completed: [receipt],
  refunded: [receipt],
};

/** The parts that the first render of these data needs. */
export const partsOf = (data: OrderPageData): readonly Preloadable[] =>
  data.kind === "found" ? PARTS[screenOf(data.order, Date.parse(data.order.createdAt))] : [noOrder];

/** Brings every state's part, before the order comes to it. */
export function prefetchParts(i18n: I18n): void {
  for (const part of [...Object.values(PARTS).flat(), noOrder]) part.prefetch(i18n);
}
