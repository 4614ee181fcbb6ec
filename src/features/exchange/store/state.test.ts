import { expect, it } from "vitest";
import { openingAt } from "../testing/exchange-page.tsx";
import { initialState } from "./state.ts";

it("opens with another amount's rate beside a failure as one that answers nothing and is not live", () => {
  const firstFailure = { kind: "too-small", expected: "0.01", slug: "eth" } as const;
  expect(initialState(openingAt({ firstFailure }), "key").rate).toMatchObject({
    answers: null,
    failureOf: "key",
    isLive: false,
  });
  expect(initialState(openingAt(), "key").rate).toMatchObject({ answers: "key", failureOf: null, isLive: true });
});
