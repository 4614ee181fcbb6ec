import { expect, test } from "vitest";
import { visible } from "./visible.ts";

test.each([
  ["plain text", "hello, мир 42", "hello, мир 42"],
  ["letters that run to the left", "שלום", "שלום"],
  ["an emoji with its variation", "☎️🦊", "☎️🦊"],
  ["an override of the direction", "abc\u202Edcba", "abc⟨U+202E⟩dcba"],
  ["an isolate that another one would close", "a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"],
  ["nothing between two letters", "a\u200Bb\u200D\uFEFF", "a⟨U+200B⟩b⟨U+200D⟩⟨U+FEFF⟩"],
  ["control characters", "a\u0000b\u001B[31m\nc", "a⟨U+0000⟩b⟨U+001B⟩[31m⟨U+000A⟩c"],
  ["a tag beyond the first plane", "a\u{E0041}", "a⟨U+E0041⟩"],
])("%s", (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});
