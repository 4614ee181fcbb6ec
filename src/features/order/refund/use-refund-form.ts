import { useState } from "react";
import type { Order } from "#contract/order.ts";
import { type AddressCheck, useAddressCheck } from "../../../address/address-check.ts";
import { memoAfter, NO_MEMO } from "../../../address/memo-of-address.ts";
import type { Taken } from "../../../address/pasted-address.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import type { LiveRefundInfo } from "../page/use-order.ts";
import { isAddressBlocker, type RefundBlocker, refundBlockers } from "../model/choice/refund-form.ts";
import { REFUND_ADDRESS_ID, REFUND_MEMO_ID } from "./refund-address-id.ts";
import type { RefundRecipient } from "../requests/customer-requests.ts";

export type RefundForm = {
  recipient: RefundRecipient;
  address: string;
  memo: string;
  check: AddressCheck;
  blockers: RefundBlocker[];
  /** The blocker of the address field that may be shown by now. */
  addressError: RefundBlocker | null;
  isMemoRemoved: boolean;
  isMemoWrong: boolean;
  /** `taken` is what was pasted or scanned, with the memo that came along. */
  setAddress: (address: string, taken: Taken | null) => void;
  typeMemo: (memo: string, isMemoWrong: boolean) => void;
  /** True when nothing stops the refund; else everything that is missing is shown from now on, and the first field at fault has the focus. */
  submit: () => boolean;
};

/** Where the deposit goes back to: the address set at creation, else what is typed here. */
export function useRefundForm(order: Order, info: LiveRefundInfo["info"]): RefundForm {
  const isOnline = useOnline();
  const [typed, setTyped] = useState({ address: "", ...NO_MEMO, isMemoWrong: false });
  const [wasSubmitted, setSubmitted] = useState(false);
  const { refundAddress, refundAddressMemo, destinationAddress } = order;
  const check = useAddressCheck(order.pair.instrumentFrom, refundAddress === null ? typed.address : "");
  const blockers = refundBlockers({
    isOnline,
    info,
    fixedAddress: refundAddress,
    destinationAddress,
    address: typed.address,
    check,
    isMemoWrong: typed.isMemoWrong,
  });
  const blocker = blockers.find(isAddressBlocker) ?? null;
  const memo = typed.memo.trim();
  return {
    recipient:
      refundAddress === null
        ? { address: typed.address, memo: memo === "" ? null : memo }
        : { address: refundAddress, memo: refundAddressMemo },
    ...typed,
    check,
    blockers,
    // What is wrong says so at once; what is only missing waits for the button.
    addressError: blocker?.kind === "address-empty" && !wasSubmitted ? null : blocker,
    setAddress: (address, taken) =>
      setTyped((before) => {
        const after = memoAfter({ ...before, check }, address, taken);
        return { address, ...after, isMemoWrong: before.isMemoWrong && after.memo === before.memo };
      }),
    typeMemo: (value, isMemoWrong) => setTyped(({ address }) => ({ address, ...NO_MEMO, memo: value, isMemoWrong })),
    submit: () => {
      setSubmitted(true);
      if (blockers.length === 0) return true;
      playHaptic("failed");
      document.getElementById(blocker === null && typed.isMemoWrong ? REFUND_MEMO_ID : REFUND_ADDRESS_ID)?.focus();
      return false;
    },
  };
}
