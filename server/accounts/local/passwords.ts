import { hashPassword, verifyPassword } from "../../base/password-hash.ts";
import { createTurns } from "../../base/concurrency/turns.ts";

/** Each takes 19 MiB and a thread: more at once would only slow each other and whatever else the threads do. */
const AT_A_TIME = 3;
const WAIT_MS = 10_000;
/** Of clients that wait for the turn of an account; each has one call among them. */
const CLIENTS = 10_000;

/** Who asks, and the account that it is about: calls of one client, and calls about one account, wait for each other and hold up nobody else. */
export type PasswordTurn = { client: string; account: string };

export type Passwords = {
  /**
   * Runs what judges or stores a password, a few at a time, with all that it asks the database: a flood waits here, in memory, and not for the
   * connections that everybody needs. ERR_SERVICE_UNAVAILABLE for who has waited for 10 s.
   */
  inTurn<Result>(turn: PasswordTurn, work: () => Promise<Result>): Promise<Result>;
  hash(password: string): Promise<string>;
  /** Takes the same time for a hash that is not there, so that nobody learns whether there is one. */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
};

export function createPasswords(): Passwords {
  const ofClients = createTurns({ atATime: CLIENTS, waitMs: WAIT_MS });
  const ofAccounts = createTurns({ atATime: AT_A_TIME, waitMs: WAIT_MS });
  /** Of a password that nobody knows. */
  let absent: Promise<string> | null = null;
  const absentHash = () => {
    absent ??= hashPassword(crypto.randomUUID());
    return absent;
  };
  return {
    inTurn: ({ client, account }, work) => ofClients(client, () => ofAccounts(account, work)),
    hash: hashPassword,
    async verify(passwordHash, password) {
      const isRight = await verifyPassword(passwordHash ?? (await absentHash()), password);
      return isRight && passwordHash !== null;
    },
  };
}
