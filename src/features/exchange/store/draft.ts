import { readJson, sessionStore } from "../../../shared/browser/storage.ts";
import type { ExchangeState } from "./state.ts";

const KEY = "exchange-draft:v1";

type Draft = { pair: string; texts: Record<string, string>; ticks: Record<string, boolean> };

const pairOf = ({ from, to }: Pick<ExchangeState, "from" | "to">): string => `${from}-${to}`;

/** Keeps what was typed on the destination step for as long as the tab lives: Back, a reload and a new build find it again. */
export function saveDraft(state: ExchangeState): void {
  const { destination, refund, isMemoWaived, areTermsAccepted } = state;
  const draft: Draft = {
    pair: pairOf(state),
    texts: {
      destination: destination.address,
      memo: destination.memo,
      refund: refund.address,
      refundMemo: refund.memo,
    },
    ticks: { isMemoWaived, areTermsAccepted },
  };
  sessionStore.set(KEY, JSON.stringify(draft));
}

/** Fills the empty fields of the same pair's step. */
export function restoreDraft(state: ExchangeState): void {
  const draft = readJson(sessionStore, KEY) as Partial<Draft> | null;
  if (draft?.pair !== pairOf(state)) return;
  const text = (name: string, typed: string) =>
    typed || (typeof draft.texts?.[name] === "string" ? draft.texts[name] : "");
  state.destination.address = text("destination", state.destination.address);
  state.destination.memo = text("memo", state.destination.memo);
  state.refund.address = text("refund", state.refund.address);
  state.refund.memo = text("refundMemo", state.refund.memo);
  state.isMemoWaived ||= draft.ticks?.["isMemoWaived"] === true;
  state.areTermsAccepted ||= draft.ticks?.["areTermsAccepted"] === true;
}

export const clearDraft = (): void => sessionStore.remove(KEY);
