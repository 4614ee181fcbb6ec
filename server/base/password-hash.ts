import { hash, verify } from "@node-rs/argon2";
import { sha256 } from "./secrets.ts";

/** OWASP's parameters for Argon2id, the library's own choice of algorithm: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;

/** The hash of a password or of a short code that a person types; takes some 20 ms of a thread beside the main one. */
export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/** The same for whoever is identified by `owner` alone: equal ones are found by their hash, among several, at the cost of one. */
export const hashFor = (owner: string, code: string): Promise<string> =>
  hash(code, { ...OPTIONS, salt: sha256(owner).subarray(0, SALT_BYTES) });

export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);
