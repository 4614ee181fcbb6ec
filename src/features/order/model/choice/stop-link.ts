import type { FailedCall } from "./request-failure.ts";

/** What the link of a message about a waiting refund carries. */
export type StopLink = { readonly orderId: string; readonly token: string };

/** Why a refund was not stopped by a press; only an `unreachable` service is worth another one. */
export type StopFailure = "late" | "unknown" | "unreachable";

/** Reads the fragment of the link, beside which Telegram puts its launch data; null when something is missing. */
export function readStopLink(hash: string): StopLink | null {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const orderId = given.get("orderId") ?? "";
  const token = given.get("token") ?? "";
  return orderId === "" || token === "" ? null : { orderId, token };
}

/** What a failed call means for whoever pressed; null is no failure of the call. */
export function stopFailure(failed: Pick<FailedCall, "code"> | null): StopFailure {
  switch (failed?.code) {
    case "ERR_UNPROCESSABLE_ENTITY":
      return "late";
    case "ERR_NOT_FOUND_E":
    case "ERR_VALIDATION":
      return "unknown";
    default:
      return "unreachable";
  }
}
