import { expect, it } from "vitest";
import { cleanEmail } from "./email.ts";

it.each([
  ["a@b.co", "a@b.co", false],
  [" a@b.co\n", "a@b.co", false],
  ["a+tag@b.co", "atag@b.co", true],
  ["++", "", true],
])("%j becomes %j, plus removed %s", (typed, email, hadPlus) => expect(cleanEmail(typed)).toEqual({ email, hadPlus }));
