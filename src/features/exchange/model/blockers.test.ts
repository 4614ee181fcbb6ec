import { describe, expect, it } from "vitest";
import { BLOCKERS, blockerAt, blockersOf, type Blocker, blockers, type FormContext } from "./blockers.ts";

const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

const ready: FormContext = {
  isOnline: true,
  from: { slug: "eth" },
  to: { slug: "usdt-erc20", requiresMemo: false },
  isPairOffered: true,
  amount: "0.5",
  rateMode: "FLOATING",
  rate: "ready",
  hasDestination: true,
  destination: { address: ADDRESS, check: "valid" },
  memo: { value: "", isWaived: false, isRefused: false },
  refund: { address: "", check: "unchecked", isMemoRefused: false },
  areTermsAccepted: true,
};

const withMemo = { slug: "xrp", requiresMemo: true };
const fixed = { rateMode: "FIXED", refund: { address: OTHER, check: "valid", isMemoRefused: false } } as const;

describe("blockers", () => {
  it.each<[string, Partial<FormContext>, Blocker[]]>([
    ["nothing", {}, []],
    ["offline", { isOnline: false }, [{ kind: "offline" }]],
    ["the same instrument twice", { to: { slug: "eth", requiresMemo: false } }, [{ kind: "same-instrument" }]],
    ["a pair that is not offered", { isPairOffered: false, amount: "" }, [{ kind: "pair-unsupported" }]],
    ["a pair that the rate refuses", { rate: { kind: "pair-unsupported" } }, [{ kind: "pair-unsupported" }]],
    ["no amount, whatever the rate", { amount: "", rate: { kind: "not-loaded" } }, [{ kind: "amount-empty" }]],
    [
      "too small",
      { rate: { kind: "too-small", expected: "0.01", slug: "eth" } },
      [{ kind: "amount-too-small", expected: "0.01", slug: "eth" }],
    ],
    [
      "too big",
      { rate: { kind: "too-big", expected: "5", slug: "eth", floatingMax: "9" } },
      [{ kind: "amount-too-big", expected: "5", slug: "eth", floatingMax: "9" }],
    ],
    ["a rate on its way", { rate: "loading" }, [{ kind: "rate-loading" }]],
    ["a rate that failed", { rate: { kind: "not-loaded" } }, [{ kind: "rate-failed" }]],
    ["fixed refused: floating is being asked", { rate: { kind: "fixed-unavailable" } }, [{ kind: "rate-loading" }]],
    ["no address", { destination: { address: "  ", check: "unchecked" } }, [{ kind: "address-empty" }]],
    [
      "a wrong address",
      { destination: { address: "0x1", check: { rejectedAs: null } } },
      [{ kind: "address-incorrect", rejectedAs: null }],
    ],
    [
      "an address refused for a reason",
      { destination: { address: "io1", check: { rejectedAs: "address_reject_iotx" } } },
      [{ kind: "address-incorrect", rejectedAs: "address_reject_iotx" }],
    ],
    ["an address still being checked", { destination: { address: ADDRESS, check: "checking" } }, []],
    ["no memo", { to: withMemo }, [{ kind: "memo-empty" }]],
    ["a memo", { to: withMemo, memo: { value: "12", isWaived: false, isRefused: false } }, []],
    [
      "a memo that the service refused",
      { to: withMemo, memo: { value: "12x", isWaived: false, isRefused: true } },
      [{ kind: "memo-incorrect" }],
    ],
    ["a waived memo", { to: withMemo, memo: { value: "", isWaived: true, isRefused: true } }, []],
    ["fixed, complete", fixed, []],
    ["fixed, no refund address", { rateMode: "FIXED" }, [{ kind: "refund-empty" }]],
    [
      "fixed, the same address twice",
      { rateMode: "FIXED", refund: { address: ` ${ADDRESS}`, check: "valid", isMemoRefused: false } },
      [{ kind: "refund-same" }],
    ],
    [
      "the same in another letter case",
      { rateMode: "FIXED", refund: { address: ADDRESS.toLowerCase(), check: "valid", isMemoRefused: false } },
      [{ kind: "refund-same" }],
    ],
    [
      "fixed, a wrong refund address",
      { rateMode: "FIXED", refund: { address: "0x2", check: { rejectedAs: null }, isMemoRefused: false } },
      [{ kind: "refund-incorrect", rejectedAs: null }],
    ],
    [
      "fixed, a refund memo that the service refused",
      { rateMode: "FIXED", refund: { address: "0x2", check: "valid", isMemoRefused: true } },
      [{ kind: "refund-memo-incorrect" }],
    ],
    ["terms", { areTermsAccepted: false }, [{ kind: "terms" }]],
  ])("%s", (_name, change, found) => {
    expect(blockers({ ...ready, ...change })).toEqual(found);
  });

  it("names everything at once, the most pressing first", () => {
    const found = blockers({
      ...ready,
      isOnline: false,
      rate: "loading",
      rateMode: "FIXED",
      to: withMemo,
      destination: { address: "", check: "unchecked" },
      areTermsAccepted: false,
    });
    expect(found.map(({ kind }) => kind)).toEqual([
      "offline",
      "rate-loading",
      "address-empty",
      "memo-empty",
      "refund-empty",
      "terms",
    ]);
    expect(blockersOf(found, "destination").map(({ kind }) => kind)).toEqual([
      "address-empty",
      "memo-empty",
      "refund-empty",
      "terms",
    ]);
    expect(blockerAt(found, "refund")).toEqual({ kind: "refund-empty" });
    expect(blockerAt(found, "from")).toBeUndefined();
  });
});

describe("BLOCKERS", () => {
  it("offers a way out wherever the amount or the pair is at fault", () => {
    for (const kind of ["amount-too-small", "amount-too-big", "pair-unsupported", "rate-failed"] as const) {
      expect(BLOCKERS[kind].fixes).not.toHaveLength(0);
      expect(BLOCKERS[kind].text).not.toBeNull();
    }
  });
});
