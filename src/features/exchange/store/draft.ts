import * as z from "zod/mini";
import { isSameAddress } from "#contract/address.ts";
import { emailSchema } from "#contract/order.ts";
import { EXCHANGE_DRAFT_KEY, type ExchangeDraft, saveExchangeDraft } from "../../../shared/browser/exchange-draft.ts";
import { readJson, sessionStore } from "../../../shared/browser/storage.ts";
import type { AddressField, ExchangeState } from "./state.ts";

const draftSchema: z.ZodMiniType<ExchangeDraft> = z.object({
  pair: z.string(),
  texts: z.object({ destination: z.string(), memo: z.string(), refund: z.string(), refundMemo: z.string() }),
  ticks: z.object({ isMemoWaived: z.boolean(), areTermsAccepted: z.boolean() }),
  email: z.optional(z.nullable(emailSchema)),
});

const pairOf = ({ from, to }: Pick<ExchangeState, "from" | "to">): string => `${from}-${to}`;

/** Keeps what was typed on the destination step for as long as the tab lives: Back, a reload and a new build find it again. */
export function saveDraft(state: ExchangeState): void {
  const { destination, refund, isMemoWaived, areTermsAccepted, email } = state;
  saveExchangeDraft({
    pair: pairOf(state),
    texts: {
      destination: destination.address,
      memo: destination.memo,
      refund: refund.address,
      refundMemo: refund.memo,
    },
    ticks: { isMemoWaived, areTermsAccepted },
    email,
  });
}

/** Fills the empty fields of the same pair's step. */
export function restoreDraft(state: ExchangeState): void {
  const draft = readJson(sessionStore, EXCHANGE_DRAFT_KEY, draftSchema);
  if (draft?.pair !== pairOf(state)) return;
  const { texts, ticks, email } = draft;
  restoreAddress(state.destination, texts.destination, texts.memo);
  restoreAddress(state.refund, texts.refund, texts.refundMemo);
  state.isMemoWaived ||= ticks.isMemoWaived;
  state.areTermsAccepted ||= ticks.areTermsAccepted;
  state.email ??= email ?? null;
}

/** A memo is not restored beside another address than its own. */
function restoreAddress(field: AddressField, address: string, memo: string): void {
  if (field.address !== "" && address !== "" && !isSameAddress(field.address, address)) return;
  field.address ||= address;
  if (field.memo !== "" || memo === "") return;
  field.memo = memo;
  field.isMemoLinked = address !== "";
}

export const clearDraft = (): void => sessionStore.remove(EXCHANGE_DRAFT_KEY);
