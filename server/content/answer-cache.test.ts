import { expect, it } from "vitest";
import { answerCache } from "./answer-cache.ts";

const answer = { get: async () => null };

it("answers are cached up to a number and a length, and the least recently used one makes room", () => {
  const kept = answerCache({ max: 3, maxLength: 100 });
  const names = () => ["a", "b", "c", "d"].filter((path) => kept.has(path));
  for (const path of ["a", "b", "c"]) kept.set(path, answer, 10);
  kept.get("a");
  kept.set("d", answer, 10);
  expect(names()).toEqual(["a", "c", "d"]);
  kept.set("c", answer, 85);
  expect(names()).toEqual(["c", "d"]);
  kept.set("b", answer, 101);
  expect(names()).toEqual([]);
  kept.set("a", answer, 60);
  kept.set("a", answer, 60);
  kept.delete("a");
  kept.set("b", answer, 100);
  expect(names()).toEqual(["b"]);
});
