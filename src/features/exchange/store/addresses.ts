import { memoAfter, NO_MEMO } from "../../../address/memo-of-address.ts";
import type { Taken } from "../../../address/pasted-address.ts";
import { type AddressName, type ExchangeState, forgetCreation } from "./state.ts";

/** `taken` is what was pasted or scanned, with the memo that came along; null for an address that is being typed. */
export function setAddress(state: ExchangeState, name: AddressName, text: string, taken: Taken | null = null): void {
  const { memo } = state[name];
  Object.assign(state[name], memoAfter(state[name], text, taken));
  state[name].address = text;
  if (state[name].memo !== memo) state[name].isMemoRefused = false;
  // A memo that is waived isn't sent.
  if (name === "destination" && taken?.memo) state.isMemoWaived = false;
  forgetCreation(state);
}

/** `isMemoRefused`: it can't be a memo of this network, whatever the service would say. */
export function setMemo(state: ExchangeState, name: AddressName, text: string, isMemoRefused: boolean): void {
  Object.assign(state[name], { ...NO_MEMO, memo: text, isMemoRefused });
  forgetCreation(state);
}
