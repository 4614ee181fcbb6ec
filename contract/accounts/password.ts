// Which passwords an account may have (contract §8). That a password isn't among the commonest 10,000 only the service judges.

export const MIN_PASSWORD_CHARACTERS = 10;
export const MAX_PASSWORD_CHARACTERS = 128;

export type PasswordProblem = "tooShort" | "tooLong" | "isEmail";

/** What is wrong with a new password; empty where nothing is. Nothing of it is trimmed, folded or cut; `email` is null where there is none. */
export function passwordProblems(password: string, email: string | null): PasswordProblem[] {
  const length = Array.from(password).length;
  return [
    ...(length < MIN_PASSWORD_CHARACTERS ? (["tooShort"] as const) : []),
    ...(length > MAX_PASSWORD_CHARACTERS ? (["tooLong"] as const) : []),
    ...(email !== null && isOfEmail(password, email) ? (["isEmail"] as const) : []),
  ];
}

/** The address itself, or the name in it, in any case. */
function isOfEmail(password: string, email: string): boolean {
  const address = email.trim().toLowerCase();
  return [address, address.replace(/@.*$/, "")].includes(password.toLowerCase());
}
