/** The reasons of `deposits.review_reason`; docs/operations.md says what leads on from each. */
export const REVIEW_REASON = {
  /** Worth less than `terms.strayMinUsd`: it counts for nothing, and nobody waits for it. */
  dust: "dust",
  /** Another coin than the order's came to its address, or than a partner was to return. */
  wrongAsset: "wrong_asset",
  /** It came to a shared address, without the memo of an order. */
  noOrder: "no_order_has_its_memo",
  /** It came once its order was settled, and the order has no refund address. */
  afterSettlement: "after_settlement",
  /** The same with a refund address: sending it back costs more than it is worth. */
  smallerThanFee: "smaller_than_fee",
  /** Its sender decides when such coins can be spent, years from now perhaps. */
  lockedBySender: "locked_by_its_sender",
  /** The contract of its token reported more than it moved. */
  lessThanReported: "less_than_reported",
  /** It was credited, and its transaction came back with another amount or recipient after a reorganisation. */
  changedAfterCredit: "changed_after_credit",
  /** It was credited, and a reorganisation deeper than its confirmations removed it. */
  goneAfterCredit: "gone_after_credit",
} as const;
