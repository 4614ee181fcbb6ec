import { expect, it } from "vitest";
import { passwordRules } from "./password-rules.ts";

it.each([
  ["nine characters", "123456789", "a@example.com", { length: false, notEmail: true }],
  ["129", "x".repeat(129), "a@example.com", { length: false, notEmail: true }],
  ["a phrase", "a long enough phrase", "a@example.com", { length: true, notEmail: true }],
  ["the email itself", "someone@example.com", "someone@example.com", { length: true, notEmail: false }],
  ["nothing yet", "", "a@example.com", { length: false, notEmail: false }],
])("the rules that %s keeps", (_, password, email, expected) => {
  const kept = Object.fromEntries(passwordRules(password, email).map(({ rule, isKept }) => [rule, isKept]));
  expect(kept).toEqual(expected);
});
