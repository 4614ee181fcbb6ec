import { dictionary } from "@zxcvbn-ts/language-common";
import { CodedError } from "#contract/errors.ts";

// contract §8
const MIN_CHARACTERS = 10;
const MAX_CHARACTERS = 128;
const COMMONEST = 10_000;

/** Of the commonest passwords only the long ones need a rule of their own. */
const COMMON: ReadonlySet<string> = new Set(
  dictionary["passwords-common"].slice(0, COMMONEST).filter((password) => password.length >= MIN_CHARACTERS),
);

/** Throws ERR_VALIDATION with `data.password` for a password that an account may not have. Nothing of it is trimmed, folded or cut. */
export function checkPassword(password: string, email: string | null): void {
  const reason = refusalOf(password, email);
  if (reason !== null)
    throw new CodedError("ERR_VALIDATION", "The password can't be used", { data: { password: reason } });
}

function refusalOf(password: string, email: string | null): string | null {
  const length = Array.from(password).length;
  if (length < MIN_CHARACTERS) return `must have at least ${MIN_CHARACTERS} characters`;
  if (length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  const folded = password.toLowerCase();
  if (COMMON.has(folded)) return "is one of the most common passwords";
  const localPart = email?.split("@")[0]?.toLowerCase();
  return folded === localPart || folded === email?.toLowerCase() ? "must not be the email address" : null;
}
