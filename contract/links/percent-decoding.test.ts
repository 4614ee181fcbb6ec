import { expect, it } from "vitest";
import { percentDecoded } from "./percent-decoding.ts";

it.each([
  ["", ""],
  ["/%61pi", "/api"],
  ["%D1%8F", "я"],
  ["a+b", "a+b"],
  ["100%", null],
  ["%ff", null],
])("reads %j as %j", (text, decoded) => expect(percentDecoded(text)).toBe(decoded));
