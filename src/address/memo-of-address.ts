import { isSameAddress } from "#contract/address.ts";
import type { AddressCheck } from "./address-check.ts";
import type { Taken } from "./pasted-address.ts";

export type MemoOfAddress = {
  memo: string;
  /** The memo is certainly that of the address beside it: they came together. */
  isMemoLinked: boolean;
  /** A memo was removed with its address, and no other has been given since. */
  isMemoRemoved: boolean;
};

export const NO_MEMO: MemoOfAddress = { memo: "", isMemoLinked: false, isMemoRemoved: false };

type Before = MemoOfAddress & { readonly address: string; readonly check: AddressCheck };

/**
 * What becomes of a memo when its address is replaced (`taken`, where it was pasted or scanned) or edited: coins with the memo of
 * another address are lost to their owner, so it stays only where the customer gave it to an address that is still being put in.
 */
export function memoAfter(before: Before, address: string, taken: Taken | null): MemoOfAddress {
  if (taken !== null && taken.memo !== null && taken.memo !== "")
    return { memo: taken.memo, isMemoLinked: true, isMemoRemoved: false };
  const { memo, isMemoLinked, isMemoRemoved } = before;
  if (memo.trim() === "" || isSameAddress(before.address, address) || !belongsToAddress(before, taken !== null))
    return { memo, isMemoLinked, isMemoRemoved };
  return { ...NO_MEMO, isMemoRemoved: true };
}

/** A memo of the customer's own is meant for the address that they correct, if what stands there is known to be wrong, or not whole. */
function belongsToAddress({ address, check, isMemoLinked }: Before, isReplaced: boolean): boolean {
  if (isMemoLinked || check === "valid") return true;
  return isReplaced && address.trim() !== "" && typeof check !== "object";
}
