import { expect, test } from "vitest";
import { type BackStep, backStep } from "./back-step.ts";

test.each<[dialogs: number, parent: string | null, depth: number, step: BackStep]>([
  [0, null, 0, null],
  [0, null, 3, null],
  [1, null, 0, { to: "dialog" }],
  [2, "/orders", 4, { to: "dialog" }],
  [0, "/orders", 2, { to: "history" }],
  [0, "/orders", 0, { to: "parent", path: "/orders" }],
])("under %d dialogs of a page of %s, %d pages deep", (dialogs, parent, depth, step) => {
  expect(backStep({ dialogs, parent, depth })).toEqual(step);
});
