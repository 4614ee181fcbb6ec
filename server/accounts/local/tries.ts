import type { Database } from "../../db/database.ts";
import { foldedEmail } from "../../base/folded-email.ts";
import { NETWORK_CLIENTS, type AccountClient } from "../port.ts";
import { FREE_FAILURES, type FailedAttempts } from "./failed-attempts.ts";
import type { PasswordTurn } from "./passwords.ts";

/** The names by which tries of one thing are counted: the client, and its network as several of them. */
export type Tries = readonly [Try, ...Try[]];
type Try = { name: string; free: number };

export const triesOf = (what: string, { prefix, network }: AccountClient): Tries => [
  { name: `${what} ${prefix}`, free: FREE_FAILURES },
  ...(network === null ? [] : [{ name: `${what} ${network}`, free: FREE_FAILURES * NETWORK_CLIENTS }]),
];

/** Counts one try by every name; the failures of the first. */
export async function beginAll(attempts: FailedAttempts, [first, ...others]: Tries): Promise<number> {
  const failures = await attempts.begin(first.name, first.free);
  for (const { name, free } of others) await attempts.begin(name, free);
  return failures;
}

export const turnOf = ({ prefix, network }: AccountClient, email: string): PasswordTurn => ({
  client: network ?? prefix,
  account: foldedEmail(email),
});

/** Runs what no answer waits for: its time would tell whether there is an account. */
export const runAside =
  ({ log }: Database) =>
  (work: Promise<unknown>, problem: string): void => {
    work.catch((error: unknown) => log.error({ err: error }, problem));
  };
