import { passwordProblems } from "#contract/accounts/password.ts";

export type PasswordRule = "length" | "notEmail";

/** The rules of contract §8 that the browser knows, and whether a password keeps them. */
export function passwordRules(password: string, email: string): { rule: PasswordRule; isKept: boolean }[] {
  const problems = passwordProblems(password, email);
  return [
    { rule: "length", isKept: !problems.includes("tooShort") && !problems.includes("tooLong") },
    { rule: "notEmail", isKept: password !== "" && !problems.includes("isEmail") },
  ];
}
