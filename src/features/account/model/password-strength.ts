import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

export type PasswordStrength = "weak" | "fair" | "strong";

/** By zxcvbn's score from 0 to 4: what falls to 10^8 guesses is weak, and only what takes over 10^10 is strong. */
const STRENGTHS: readonly PasswordStrength[] = ["weak", "weak", "weak", "fair", "strong"];

let loading: Promise<ZxcvbnFactory> | null = null;

/** How hard a password is to guess for who knows the email too, as zxcvbn estimates it. Loads its word lists with the first call. */
export async function passwordStrength(password: string, email: string): Promise<PasswordStrength> {
  loading ??= load();
  const estimator = await loading;
  const known = [email, email.replace(/@.*$/, ""), "wherry"].filter((word) => word !== "");
  return STRENGTHS[estimator.check(password, known).score] ?? "weak";
}

async function load(): Promise<ZxcvbnFactory> {
  try {
    const [core, common] = await Promise.all([import("@zxcvbn-ts/core"), import("@zxcvbn-ts/language-common")]);
    return new core.ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  } catch (error) {
    // The next password tries again.
    loading = null;
    throw error;
  }
}
