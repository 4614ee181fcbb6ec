import { expect, it } from "vitest";
import { setBounded } from "./bounded-map.ts";

it("drops what was put longest ago, and counts a key that is put again as new", () => {
  const map = new Map<string, number>();
  for (const [at, key] of ["a", "b", "a", "c"].entries()) setBounded(map, key, at, 2);
  expect([...map]).toEqual([
    ["a", 2],
    ["c", 3],
  ]);
});

it("drops a first key that is undefined", () => {
  const map = new Map<string | undefined, number>();
  setBounded(map, undefined, 1, 1);
  setBounded(map, "a", 2, 1);
  expect([...map.keys()]).toEqual(["a"]);
});
