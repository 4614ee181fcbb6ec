import { sessionStore } from "./storage.ts";

/** What the destination step of a pair (`{from}-{to}`) is filled with when it opens. */
export type ExchangeDraft = {
  pair: string;
  texts: { destination: string; memo: string; refund: string; refundMemo: string };
  ticks: { isMemoWaived: boolean; areTermsAccepted: boolean };
  /** The email of an order that is created again. */
  email?: string | null | undefined;
};

export const EXCHANGE_DRAFT_KEY = "exchange-draft:v1";

/** The amount that was typed last, and on which page of which pair. */
export const AMOUNT_DRAFT_KEY = "amount-draft:v1";

/** Keeps a draft for as long as the tab lives. */
export const saveExchangeDraft = (draft: ExchangeDraft): void =>
  sessionStore.set(EXCHANGE_DRAFT_KEY, JSON.stringify(draft));
