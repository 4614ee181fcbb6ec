import { expect, test } from "vitest";
import { nextPath } from "./next-path.ts";

test.each([
  ["/profile/info", "/profile/info"],
  ["/ru/profile/info?a=1", "/ru/profile/info?a=1"],
  ["", null],
  ["profile/info", null],
  ["https://evil.example/", null],
  ["//evil.example/", null],
  ["/\\evil.example/", null],
  ["/\t/evil.example/", null],
  ["/a\\b", null],
  ["javascript:alert(1)", null],
])("%s leads back to %s", (next, expected) => expect(nextPath(new URLSearchParams({ next }))).toBe(expected));
