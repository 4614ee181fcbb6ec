import { expect, it } from "vitest";
import { memoAfter, NO_MEMO } from "./memo-of-address.ts";

const KNOWN = { ...NO_MEMO, address: "rA", memo: "12345", check: "valid" } as const;
const pasted = (address: string, memo: string | null = null) => ({ address, memo, amount: null });
const kept = (isMemoLinked = false) => ({ memo: "12345", isMemoLinked, isMemoRemoved: false });
const REMOVED = { memo: "", isMemoLinked: false, isMemoRemoved: true };

it("takes the memo of a payment link, whatever stood there", () =>
  expect(memoAfter(KNOWN, "rB", pasted("rB", "7"))).toEqual({ memo: "7", isMemoLinked: true, isMemoRemoved: false }));

it.each(["unchecked", "checking", "failed", "valid", { rejectedAs: null }] as const)(
  "removes the memo that came with an address (%j) once another is pasted or typed, and says so",
  (check) => {
    const linked = { ...KNOWN, isMemoLinked: true, check };
    expect(memoAfter(linked, "rB", pasted("rB"))).toEqual(REMOVED);
    expect(memoAfter(linked, "rAx", null)).toEqual(REMOVED);
    expect(memoAfter(linked, "", null)).toEqual(REMOVED);
    expect(memoAfter(linked, " rA ", pasted("rA"))).toEqual(kept(true));
  },
);

it("removes a memo that was typed beside a valid address, or one that could not be checked yet", () => {
  expect(memoAfter(KNOWN, "rB", pasted("rB"))).toEqual(REMOVED);
  expect(memoAfter(KNOWN, "r", null)).toEqual(REMOVED);
  for (const check of ["unchecked", "checking", "failed"] as const)
    expect(memoAfter({ ...KNOWN, check }, "rB", pasted("rB"))).toEqual(REMOVED);
});

it("keeps a memo that was typed for an address that is still put in, or corrected", () => {
  expect(memoAfter({ ...KNOWN, address: "", check: "unchecked" }, "rB", pasted("rB"))).toEqual(kept());
  expect(memoAfter({ ...KNOWN, check: "unchecked" }, "rAb", null)).toEqual(kept());
  expect(memoAfter({ ...KNOWN, check: { rejectedAs: null } }, "rB", pasted("rB"))).toEqual(kept());
});

it("goes on saying that a memo was removed until there is another", () => {
  const removed = { ...KNOWN, ...REMOVED };
  expect(memoAfter(removed, "rC", null)).toEqual(REMOVED);
  expect(memoAfter(removed, "rC", pasted("rC", "8")).isMemoRemoved).toBe(false);
});
