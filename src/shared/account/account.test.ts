import { expect, test } from "vitest";
import { isAuthorised } from "./account.ts";

test.each([
  ["a guest", null, true, false],
  ["Telegram's user", { userId: 7, email: null }, true, true],
  ["Telegram's user elsewhere", { userId: 7, email: null }, false, false],
  ["an empty email", { userId: 7, email: "" }, false, false],
  ["an account with an email", { userId: 7, email: "ann@mail.example" }, false, true],
  ["no id", { userId: 0, email: "ann@mail.example" }, true, false],
])("%s (spec §4)", (_, data, isTelegram, expected) => {
  expect(isAuthorised(data, isTelegram)).toBe(expected);
});
