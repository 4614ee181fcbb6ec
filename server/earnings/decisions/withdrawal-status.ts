import type { WithdrawalStatus } from "#contract/accounts/earnings.ts";
import type { Schema } from "../../db/schema.ts";

/** The status that a person sees (contract §9); `payment` is the state of its payment, null without one. */
export function statusOf(
  state: Schema["withdrawals"]["state"],
  payment: Schema["payouts"]["state"] | null,
): WithdrawalStatus {
  if (state === "settled") return "COMPLETED";
  if (state === "rejected") return "REJECTED";
  if (state === "review" || payment === "review") return "REVIEW";
  return payment === "broadcast" || payment === "mined" ? "SENT" : "PENDING";
}
