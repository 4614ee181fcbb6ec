import { expect, it } from "vitest";
import { createWrittenAnswers } from "./written-answers.ts";

it("returns an answer as long as its version is the newest", () => {
  let version = 1;
  const answers = createWrittenAnswers(() => version);
  expect(answers.find("/a")).toBeNull();
  answers.keep("/a", version, "1");
  expect(answers.find("/a")).toEqual("1");
  expect(answers.find("/b")).toBeNull();
  version = 2;
  expect(answers.find("/a")).toBeNull();
});

it("finds no answer while the version can't be read, and leaves the error to the call", () => {
  const error = new Error("no prices");
  const answers = createWrittenAnswers(() => {
    throw error;
  });
  expect(answers.find("/a")).toBeNull();
  expect(() => answers.version()).toThrow(error);
});

it("keeps no answer that was made before its version changed", () => {
  let version = 1;
  const answers = createWrittenAnswers(() => version);
  const before = version;
  version = 2;
  answers.keep("/a", before, "old");
  expect(answers.find("/a")).toBeNull();
});

it("has room for so many at a time, and drops the oldest one", () => {
  const answers = createWrittenAnswers(() => 1, 2);
  for (const url of ["/a", "/b", "/c"]) answers.keep(url, 1, url);
  expect(["/a", "/b", "/c"].map((url) => answers.find(url))).toEqual([null, "/b", "/c"]);
});
