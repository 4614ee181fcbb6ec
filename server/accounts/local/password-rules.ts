import { dictionary } from "@zxcvbn-ts/language-common";
import { CodedError } from "#contract/errors.ts";
import {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  type PasswordProblem,
  passwordProblems,
} from "#contract/accounts/password.ts";

// contract §8
const COMMONEST = 10_000;

/** Of the commonest passwords only the long ones need a rule of their own. */
const COMMON: ReadonlySet<string> = new Set(
  dictionary["passwords-common"].slice(0, COMMONEST).filter((password) => password.length >= MIN_PASSWORD_CHARACTERS),
);

/** Throws ERR_VALIDATION with `data.password` for a password that an account may not have. Nothing of it is trimmed, folded or cut. */
export function checkPassword(password: string, email: string | null): void {
  const reason = refusalOf(password, email);
  if (reason !== null)
    throw new CodedError("ERR_VALIDATION", "The password can't be used", { data: { password: reason } });
}

const REASONS: Record<PasswordProblem, string> = {
  tooShort: `must have at least ${MIN_PASSWORD_CHARACTERS} characters`,
  tooLong: `must have at most ${MAX_PASSWORD_CHARACTERS} characters`,
  isEmail: "must not be the email address",
};

function refusalOf(password: string, email: string | null): string | null {
  const [problem] = passwordProblems(password, email);
  if (problem !== undefined) return REASONS[problem];
  return COMMON.has(password.toLowerCase()) ? "is one of the most common passwords" : null;
}
