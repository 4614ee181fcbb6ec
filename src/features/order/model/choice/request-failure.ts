import * as z from "zod/mini";
import { ADDRESS_UNPAYABLE } from "#contract/address.ts";
import { offerSchema, refundInfoSchema } from "#contract/order.ts";
import type { Offer, RefundInfo } from "./choice.ts";
import { isTooSmall } from "./refund-form.ts";

/** A failed call, as `lib/http` reports it. */
export type FailedCall = {
  kind: "coded" | "network" | "timeout" | "unreadable";
  code: string | null;
  data: Record<string, unknown>;
  httpStatus: number | null;
};

/** What became of an acceptance or a refund that was not answered with an order. */
export type RequestFailure =
  | { kind: "unknown" }
  | { kind: "unavailable" }
  | { kind: "refused" }
  | { kind: "refund-changed"; info: RefundInfo }
  | { kind: "refund-too-small"; info: RefundInfo }
  | { kind: "address"; reason: "same" | "incorrect" | "unpayable" };

/** The service may have done it, or may still do it: the same key goes out again (contract §1). */
export const isUncertain = ({ kind }: RequestFailure): boolean => kind === "unknown" || kind === "unavailable";

const UNDECIDED_STATUSES = new Set([408, 409, 425]);

/** Reads what a failed acceptance or refund means for the customer (contract §1, §3). */
export function readRequestFailure({ kind, code, data, httpStatus }: FailedCall): RequestFailure {
  if (kind !== "coded" || httpStatus === null || UNDECIDED_STATUSES.has(httpStatus)) return { kind: "unknown" };
  if (code === "ERR_SERVICE_UNAVAILABLE" || httpStatus === 429) return { kind: "unavailable" };
  if (httpStatus >= 500) return { kind: "unknown" };
  if (code === "ERR_VALIDATION" && "refundAddress" in data) {
    return { kind: "address", reason: REASONS.get(data["refundAddress"]) ?? "incorrect" };
  }
  const fresh = refundInfoSchema.safeParse(data);
  if (code !== "ERR_UNPROCESSABLE_ENTITY" || !fresh.success) return { kind: "refused" };
  return { kind: isTooSmall(fresh.data) ? "refund-too-small" : "refund-changed", info: fresh.data };
}

const reofferSchema = z.object({ offer: z.nullable(offerSchema) });

/** The offer in place of the one that was to be accepted, null where there is none; undefined for any other failure (contract §3). */
export function readReoffer({ code, data }: FailedCall): Offer | null | undefined {
  if (code !== "ERR_UNPROCESSABLE_ENTITY") return undefined;
  const fresh = reofferSchema.safeParse(data);
  return fresh.success ? fresh.data.offer : undefined;
}

const REASONS: ReadonlyMap<unknown, "same" | "unpayable"> = new Map([
  ["error_address_must_be_different", "same"],
  [ADDRESS_UNPAYABLE, "unpayable"],
]);
