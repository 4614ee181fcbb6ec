import { expect, it } from "vitest";
import { openingAt } from "../testing/exchange-page.tsx";
import { setAddress, setMemo } from "./addresses.ts";
import { initialState, setPair } from "./state.ts";

it("opens with another amount's rate beside a failure as one that answers nothing and is not live", () => {
  const firstFailure = { kind: "too-small", expected: "0.01", slug: "eth" } as const;
  expect(initialState(openingAt({ firstFailure }), "key").rate).toMatchObject({
    answers: null,
    failureOf: "key",
    isLive: false,
  });
  expect(initialState(openingAt(), "key").rate).toMatchObject({ answers: "key", failureOf: null, isLive: true });
});

it("gives the memo of one coin's address to no address of another coin", () => {
  const state = initialState(openingAt(), null);
  setAddress(state, "destination", "rA");
  setMemo(state, "destination", "12345", false);
  setPair(state, "eth", "dai-erc20");
  state.destination.check = { rejectedAs: null };
  setAddress(state, "destination", "0xB", { address: "0xB", memo: null, amount: null });
  expect(state.destination).toMatchObject({ memo: "", isMemoRemoved: true });
});
