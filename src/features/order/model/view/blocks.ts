/** A part of the order page. */
export type Block =
  | "reference"
  | "steps"
  | "rate-lock"
  | "floating"
  | "rate_ended"
  | "expired"
  | "preparing"
  | "too_small"
  | "attention"
  | "ring"
  | "other_amount"
  | "choice"
  | "refund"
  | "receipt"
  | "card_pay"
  | "card_state"
  | "provider"
  | "amount"
  | "memo"
  | "address"
  | "qr"
  | "get"
  | "timeline"
  | "summary"
  | "updates";

/** The one filled button of a screen. */
export type MainAction = "pay_by_card" | "open_wallet" | "share" | "choose" | "new_exchange" | "recreate" | null;
