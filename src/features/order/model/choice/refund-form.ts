import { isSameAddress } from "#contract/address.ts";
import type { AddressCheck } from "../../../../address/address-check.ts";
import type { RefundInfo } from "./choice.ts";

/** Everything that decides whether a refund can be asked for. `fixedAddress` was set at creation and is never replaced. */
export type RefundContext = {
  isOnline: boolean;
  info: RefundInfo | "loading" | "failed";
  fixedAddress: string | null;
  destinationAddress: string;
  address: string;
  check: AddressCheck;
  isMemoWrong: boolean;
};

export type RefundBlocker =
  | { kind: "offline" }
  | { kind: "figures-loading" }
  | { kind: "figures-failed" }
  | { kind: "too-small" }
  | { kind: "address-empty" }
  | { kind: "address-same" }
  | { kind: "address-incorrect"; rejectedAs: string | null }
  | { kind: "memo-incorrect" };

/** What stops a refund, the most pressing first (spec §5); empty when nothing does. */
export function refundBlockers(form: RefundContext): RefundBlocker[] {
  const memo: RefundBlocker[] = form.fixedAddress === null && form.isMemoWrong ? [{ kind: "memo-incorrect" }] : [];
  return [...sumBlockers(form), ...addressBlockers(form), ...memo];
}

function sumBlockers({ isOnline, info }: RefundContext): RefundBlocker[] {
  const found: RefundBlocker[] = isOnline ? [] : [{ kind: "offline" }];
  if (info === "loading") return [...found, { kind: "figures-loading" }];
  if (info === "failed") return [...found, { kind: "figures-failed" }];
  return isTooSmall(info) ? [...found, { kind: "too-small" }] : found;
}

function addressBlockers({ fixedAddress, destinationAddress, address, check }: RefundContext): RefundBlocker[] {
  if (fixedAddress !== null) return [];
  if (address.trim() === "") return [{ kind: "address-empty" }];
  if (isSameAddress(address, destinationAddress)) return [{ kind: "address-same" }];
  return typeof check === "object" ? [{ kind: "address-incorrect", ...check }] : [];
}

/** The network fee would eat the whole deposit. */
export const isTooSmall = (info: RefundInfo): boolean => /^[0.]*$/.test(info.refundAmountWithoutNetworkFee);

/** A blocker that is about the address field; it is shown there. */
export const isAddressBlocker = ({ kind }: RefundBlocker): boolean => kind.startsWith("address-");
