/** By which a page that was loaded anew to scan knows where it was. */
export const REFUND_ADDRESS_ID = "refund-address";

export const REFUND_MEMO_ID = "refund-memo";
