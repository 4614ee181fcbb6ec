import { proxy, useSnapshot } from "valtio";
import type { WithdrawalForm } from "../model/withdrawal.ts";

type Draft = WithdrawalForm & { readonly userId: number };

/** What is being typed. It outlives the form, which goes while an ended session asks for the login; nothing of it is stored. */
const draft = proxy<{ value: Draft | null }>({ value: null });

const EMPTY = { address: "", amount: "" };

/** The form of one account: nobody else signing in on the page finds it. */
export function useDraft(userId: number): WithdrawalForm {
  const { value } = useSnapshot(draft, { sync: true });
  return value?.userId === userId ? value : EMPTY;
}

export function changeDraft(userId: number, change: Partial<WithdrawalForm>): void {
  const before = draft.value?.userId === userId ? draft.value : EMPTY;
  draft.value = { ...before, ...change, userId };
}

export const clearDraft = (): void => void (draft.value = null);
