import { describe, expect, it } from "vitest";
import { keepsRules, passwordRules, passwordStrength } from "./password-rules.ts";

describe("the rules of a password", () => {
  it.each([
    ["nine chars", "123456789", "a@example.com", { length: false, notEmail: true }],
    ["ten characters", "1234567890", "a@example.com", { length: true, notEmail: true }],
    ["ten of two code units each", "🛶".repeat(10), "a@example.com", { length: true, notEmail: true }],
    ["128", "x".repeat(128), "a@example.com", { length: true, notEmail: true }],
    ["129", "x".repeat(129), "a@example.com", { length: false, notEmail: true }],
    ["the email's local part", "Marit.Larsen", "marit.larsen@example.com", { length: true, notEmail: false }],
    ["nothing yet", "", "", { length: false, notEmail: false }],
  ])("%s", (_, password, email, expected) => {
    const kept = Object.fromEntries(passwordRules(password, email).map(({ rule, isKept }) => [rule, isKept]));
    expect(kept).toEqual(expected);
    expect(keepsRules(password, email)).toBe(expected.length && expected.notEmail);
  });
});

describe("the strength of a password", () => {
  it.each([
    ["short", null],
    ["aaaaaaaaaaaaaaaaaaaa", "weak"],
    ["1234567890", "weak"],
    ["abcabcabcabcabc", "weak"],
    ["password12", "weak"],
    ["kTw9mZr4qX", "fair"],
    ["correct horse battery", "strong"],
    ["kTw9!mZr4?qXp2", "strong"],
    ["переправа-лодка-весло", "strong"],
  ])("of %s is %s", (password, strength) => expect(passwordStrength(password)).toBe(strength));
});
