import { describe, expect, it } from "vitest";
import { type Flow, FLOWS, uncovered } from "./e2e/support/flows.ts";

const couple = ["phone en light pointer", "desktop ru dark keyboard"] as const;
const other = ["phone ru dark keyboard", "desktop en light pointer"] as const;

describe("the runs of the flows", () => {
  it("cover every value in every flow with money or an account, and every pair with a width in every kind", () => {
    expect(uncovered(FLOWS)).toEqual([]);
  });

  it("are asked for what they leave out", () => {
    const flow = (kind: string, walks: Flow["walks"]): Flow => ({ kind, walks });
    expect(uncovered({ a: flow("k", [...couple, ...other]) })).toEqual([]);
    expect(uncovered({ a: flow("k", couple), b: flow("k", other) })).toEqual([]);
    expect(uncovered({ a: flow("k", couple), b: flow("l", [...couple, ...other]) })).toEqual([
      "k: phone ru",
      "k: desktop en",
      "k: phone dark",
      "k: desktop light",
      "k: phone keyboard",
      "k: desktop pointer",
    ]);
    expect(
      uncovered({ a: flow("k", [couple[0], other[1], "phone ru dark pointer", "desktop ru dark pointer"]) }),
    ).toEqual(["k: phone keyboard", "k: desktop keyboard"]);
    const split = { a: [couple[0], other[1]], b: [couple[1], other[0]] } as const;
    expect(uncovered({ a: flow("k", split.a), b: flow("k", split.b) })).toEqual([]);
    expect(uncovered({ a: flow("order", split.a), b: flow("order", split.b) })).toEqual([
      "a: ru",
      "a: dark",
      "a: keyboard",
      "b: en",
      "b: light",
      "b: pointer",
    ]);
    expect(uncovered({ a: flow("k", []) })).toHaveLength(13);
  });
});
