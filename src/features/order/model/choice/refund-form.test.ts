import { describe, expect, it } from "vitest";
import { refundBlockers, type RefundContext } from "./refund-form.ts";

const DESTINATION = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const OTHER = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const info = { refundAmountWithoutNetworkFee: "0.4999", networkFee: "0.0001" };
const ready: RefundContext = {
  isOnline: true,
  info,
  fixedAddress: null,
  destinationAddress: DESTINATION,
  address: OTHER,
  check: "valid",
  isMemoWrong: false,
};
const kinds = (changes: Partial<RefundContext>): string =>
  refundBlockers({ ...ready, ...changes })
    .map(({ kind }) => kind)
    .join(" ");

describe("what stops a refund, the most pressing first", () => {
  it.each<[string, Partial<RefundContext>, string]>([
    ["nothing", {}, ""],
    ["nothing, where the check could not be made", { check: "unchecked" }, ""],
    ["nothing, while it is checked: the service checks again", { check: "checking" }, ""],
    ["offline", { isOnline: false }, "offline"],
    ["figures on their way", { info: "loading" }, "figures-loading"],
    ["no figures", { info: "failed" }, "figures-failed"],
    ["nothing left", { info: { refundAmountWithoutNetworkFee: "0", networkFee: "1" } }, "too-small"],
    ["no address", { address: "  " }, "address-empty"],
    ["the receiving address", { address: ` ${DESTINATION}` }, "address-same"],
    ["the receiving address in other letters", { address: DESTINATION.toLowerCase() }, "address-same"],
    ["a wrong address", { check: { rejectedAs: null } }, "address-incorrect"],
    ["a memo that can't be one", { isMemoWrong: true }, "memo-incorrect"],
    ["a memo that can't be one, of no address", { address: "", isMemoWrong: true }, "address-empty memo-incorrect"],
    ["everything", { isOnline: false, info: "loading", address: "" }, "offline figures-loading address-empty"],
    ["an address set at creation", { fixedAddress: OTHER, address: "", check: "unchecked", isMemoWrong: true }, ""],
    ["a set address does not lift the rest", { fixedAddress: OTHER, info: "failed" }, "figures-failed"],
  ])("%s", (_case, changes, expected) => expect(kinds(changes)).toBe(expected));

  it("says why an address was rejected", () =>
    expect(refundBlockers({ ...ready, check: { rejectedAs: "address_reject_iotx" } })).toEqual([
      { kind: "address-incorrect", rejectedAs: "address_reject_iotx" },
    ]));
});
