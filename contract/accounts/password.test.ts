import { expect, test } from "vitest";
import { type PasswordProblem, passwordProblems } from "./password.ts";

test.each<[string, string, string | null, PasswordProblem[]]>([
  ["nine characters", "123456789", "a@example.com", ["tooShort"]],
  ["ten", "1234567890", "a@example.com", []],
  ["ten of two code units each", "🛶".repeat(10), "a@example.com", []],
  ["128", "x".repeat(128), "a@example.com", []],
  ["129", "x".repeat(129), "a@example.com", ["tooLong"]],
  ["the name in the email", "Marit.Larsen", "marit.larsen@example.com", ["isEmail"]],
  ["the email", "marit@Example.com", " Marit@example.com ", ["isEmail"]],
  ["a short name in the email", "marit", "marit@example.com", ["tooShort", "isEmail"]],
  ["what an account without an email may have", "marit.larsen", null, []],
])("the problems of %s", (_, password, email, problems) => {
  expect(passwordProblems(password, email)).toEqual(problems);
});
