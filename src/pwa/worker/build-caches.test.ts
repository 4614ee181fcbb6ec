import { expect, it } from "vitest";
import { filesOf, ON_DEMAND, outdated, pagesOf } from "./build-caches.ts";

const ALL = [
  filesOf("a"),
  pagesOf("a"),
  filesOf("b"),
  pagesOf("b"),
  ON_DEMAND,
  "workbox-precache-v2-https://wherry.test/",
];

it.each([
  ["nobody is on the old build", ["b"], [filesOf("a"), pagesOf("a"), ALL[5]]],
  ["no page is open", [], [filesOf("a"), pagesOf("a"), ALL[5]]],
  ["a page of the old build is open: its chunks stay", ["a", "b"], [pagesOf("a"), ALL[5]]],
  ["an open page didn't say: chunks of every build stay", null, [pagesOf("a"), ALL[5]]],
])("%s", (_case, open, expected) => {
  expect(outdated(ALL, "b", open)).toEqual(expected);
});
