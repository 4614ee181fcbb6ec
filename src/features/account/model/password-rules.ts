/** contract §8 */
const MIN_LENGTH = 10;
const MAX_LENGTH = 128;

export type PasswordRule = "length" | "notEmail";

/**
 * The rules of contract §8 that the browser knows, and whether a password keeps them. That it isn't among the commonest 10,000
 * only the service says.
 */
export const passwordRules = (password: string, email: string): { rule: PasswordRule; isKept: boolean }[] => [
  { rule: "length", isKept: characters(password) >= MIN_LENGTH && characters(password) <= MAX_LENGTH },
  { rule: "notEmail", isKept: password !== "" && !isLocalPart(password, email) },
];

export const keepsRules = (password: string, email: string): boolean =>
  passwordRules(password, email).every(({ isKept }) => isKept);

export type PasswordStrength = "weak" | "fair" | "strong";

/** Bits of a password whose characters were chosen at random from the kinds that it has; repeated ones and runs count once. */
const FAIR_BITS = 50;
const STRONG_BITS = 70;

/** How hard a password is to guess; null while it is too short to be taken. */
export function passwordStrength(password: string): PasswordStrength | null {
  if (characters(password) < MIN_LENGTH) return null;
  const bits = distinctSteps(password) * Math.log2(alphabet(password));
  if (bits >= STRONG_BITS) return "strong";
  return bits >= FAIR_BITS ? "fair" : "weak";
}

const characters = (text: string): number => Array.from(text).length;

const isLocalPart = (password: string, email: string): boolean =>
  password.toLowerCase() === email.trim().toLowerCase().replace(/@.*$/, "");

const KINDS = [
  { pattern: /[a-z]/, size: 26 },
  { pattern: /[A-Z]/, size: 26 },
  { pattern: /\d/, size: 10 },
  { pattern: /[ -/:-@[-`{-~]/, size: 33 },
  { pattern: /[^ -~]/, size: 60 },
] as const;

const alphabet = (password: string): number =>
  KINDS.reduce((sum, { pattern, size }) => sum + (pattern.test(password) ? size : 0), 0);

/** Of `aaaa`, `1234` and `abcabc` only what is new counts. */
function distinctSteps(password: string): number {
  const codes = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  const seen = new Set<string>();
  let steps = 0;
  codes.forEach((code, index) => {
    const step = code - (codes[index - 1] ?? code + 2);
    const pair = `${codes[index - 1]} ${code}`;
    if (Math.abs(step) > 1 && !seen.has(pair)) steps += 1;
    seen.add(pair);
  });
  return steps;
}
