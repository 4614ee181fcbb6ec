/** Reasons of `deposits.review_reason` that deciding code asks about; docs/operations.md says what each waits for. */
export const REVIEW_REASON = {
  /** Worth less than `terms.strayMinUsd`: it counts for nothing, and nobody waits for it. */
  dust: "dust",
  /** Another coin than the order's came to its address. */
  wrongAsset: "wrong_asset",
  /** It came to a shared address, without the memo of an order. */
  noOrder: "no_order_has_its_memo",
} as const;
