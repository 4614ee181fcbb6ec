import type { Order } from "#contract/order.ts";

export type Offer = NonNullable<Order["offer"]>;
/** What a refund delivers and its network fee, wire decimals in the sending coin. */
export type RefundInfo = { refundAmountWithoutNetworkFee: string; networkFee: string };
export type Option = "accept" | "refund";

/** The figures that the two cards show; null while there are none. */
export type Figures = { offer: Offer | null; refund: RefundInfo | null };

export type Choice = {
  /** Nothing is ever chosen for the customer. */
  chosen: Option | null;
  shown: Figures;
  /** A sum that was shown and no longer holds; stays struck out beside the new one. */
  before: Record<Option, string | null>;
  /** Another offer for the sum that was shown before: nothing has been accepted by it. */
  isRenewed: boolean;
};

export const openChoice = (figures: Figures): Choice => ({
  chosen: null,
  shown: figures,
  before: { accept: null, refund: null },
  isRenewed: false,
});

/** Takes the customer's choice; it is for the figures that are shown now. */
export const choose = (choice: Choice, chosen: Option): Choice => ({ ...choice, chosen, isRenewed: false });

/** Takes newer figures: a sum that has changed stays to be struck out, and a choice that was made for it is undone. */
export function updateFigures(choice: Choice, figures: Figures): Choice {
  const seen = { offer: figures.offer, refund: figures.refund ?? choice.shown.refund };
  if (isSameOffer(choice.shown.offer, seen.offer) && isSameRefund(choice.shown.refund, seen.refund)) return choice;
  const accept = changed(choice.shown.offer?.amountToGet, seen.offer?.amountToGet);
  const refund = changed(
    choice.shown.refund?.refundAmountWithoutNetworkFee,
    seen.refund?.refundAmountWithoutNetworkFee,
  );
  const isUndone = (choice.chosen === "accept" && accept !== null) || (choice.chosen === "refund" && refund !== null);
  return {
    chosen: isUndone || (choice.chosen === "accept" && seen.offer === null) ? null : choice.chosen,
    shown: seen,
    before: { accept: accept ?? choice.before.accept, refund: refund ?? choice.before.refund },
    isRenewed: accept === null && (choice.isRenewed || !isSameOffer(choice.shown.offer, seen.offer)),
  };
}

/** True when both are the one offer that the service keeps. */
export const isSameOffer = (one: Offer | null, other: Offer | null): boolean =>
  one?.at === other?.at && one?.amountToGet === other?.amountToGet && one?.price === other?.price;

const isSameRefund = (one: RefundInfo | null, other: RefundInfo | null): boolean =>
  one?.refundAmountWithoutNetworkFee === other?.refundAmountWithoutNetworkFee && one?.networkFee === other?.networkFee;

const changed = (before: string | undefined, now: string | undefined): string | null =>
  before !== undefined && before !== now ? before : null;
