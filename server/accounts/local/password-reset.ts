import { randomUUID } from "node:crypto";
import type { BodyOf } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import { foldedEmail } from "../../base/folded-email.ts";
import { inTransaction } from "../../db/transaction.ts";
import { lockWithdrawalsInReview } from "../../earnings/index.ts";
import { enqueueAccountMail } from "../../notifications/index.ts";
import type { AccountClient, AccountParts } from "../port.ts";
import type { AccountTools } from "../tools.ts";
import { findUserByEmail, lockUser, requireUser, storedEmail } from "../users.ts";
import { recordMailboxProof } from "./first-mailbox-proof.ts";
import { invalidCode } from "./mailed-codes.ts";
import { checkPassword } from "./password-rules.ts";
import { beginAll, runAside, triesOf, turnOf } from "./tries.ts";

export type PasswordReset = {
  requestPasswordReset(email: string, client: AccountClient): Promise<void>;
  resetPassword(body: BodyOf<"resetPassword">, client: AccountClient): Promise<bigint>;
};

/** A new password by a mailed code (contract §8). */
export function createPasswordReset(parts: AccountParts, tools: AccountTools): PasswordReset {
  const { database, clock } = parts;
  const { kysely } = database;
  const { attempts, passwords, sessions } = tools;
  const aside = runAside(database);

  return {
    async requestPasswordReset(typed, client) {
      const email = storedEmail(typed);
      // Counted as sign-ins are, and for unknown emails alike; who asks too often gets the same answer and no mail.
      const isAllowed = await beginAll(attempts, triesOf(`reset ${foldedEmail(email)}`, client)).then(
        () => true,
        (error: unknown) => {
          if (error instanceof CodedError) return false;
          throw error;
        },
      );
      if (isAllowed) aside(mailCode(email, client), "a mail with a code was not stored");
    },

    async resetPassword(body, client) {
      const email = storedEmail(body.email);
      checkPassword(body.password, email);
      const userId = await passwords.inTurn(turnOf(client, email), () => reset(email, body, client));
      parts.onMail?.();
      return userId;
    },
  };

  async function reset(
    email: string,
    { password, resetCode }: BodyOf<"resetPassword">,
    client: AccountClient,
  ): Promise<bigint> {
    const user = await findUserByEmail(kysely, email);
    const issued = await tools.mailedCodes.take(user?.id ?? null, "password_reset", resetCode, client);
    if (user === undefined || issued === null) throw invalidCode();
    const password_hash = await passwords.hash(password);
    await inTransaction(database, async (transaction) => {
      // Before the user, as a withdrawal does.
      if (user.emailConfirmedAt === null) await lockWithdrawalsInReview(transaction, user.id);
      await lockUser(transaction, user.id);
      if (!(await tools.mailedCodes.use(transaction, user.id, "password_reset", issued.hash))) throw invalidCode();
      const locked = await requireUser(transaction, user.id);
      // It proves the mailbox that it was sent to, and no other.
      if (locked.email !== issued.email) throw invalidCode();
      await tools.setPassword(transaction, locked, password_hash);
      await sessions.endAll(transaction, user.id);
      await recordMailboxProof(transaction, tools.areas, locked, clock.now());
    });
    return user.id;
  }

  async function mailCode(email: string, client: AccountClient): Promise<void> {
    const user = await findUserByEmail(kysely, email);
    if (user === undefined || user.email === null) return;
    const mail = { userId: user.id, recipient: user.email, sourceKey: randomUUID(), client };
    await enqueueAccountMail(kysely, { ...mail, topic: "password_reset" });
    parts.onMail?.();
  }
}
