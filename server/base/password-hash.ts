import { hash, verify } from "@node-rs/argon2";

/** OWASP's parameters for Argon2id, the library's own choice of algorithm: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a password or of a short code that a person types; takes some 20 ms of a thread beside the main one. */
export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);
