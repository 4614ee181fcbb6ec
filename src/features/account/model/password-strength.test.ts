import { expect, it } from "vitest";
import { passwordStrength } from "./password-strength.ts";

const EMAIL = "marit.larsen@example.com";

it.each([
  ["aaaaaaaaaaaaaaaaaaaa", "weak"],
  ["qwertyuiop12", "weak"],
  ["iloveyou2026!", "weak"],
  ["Password2024!", "weak"],
  [`${EMAIL}1`, "weak"],
  ["marit.larsen", "weak"],
  ["kTw9mZr4q", "fair"],
  ["kTw9!mZr4?qXp2", "strong"],
  ["correct horse battery staple", "strong"],
  ["переправа-лодка-весло", "strong"],
])("of %s is %s", async (password, strength) => {
  expect(await passwordStrength(password, EMAIL)).toBe(strength);
});
