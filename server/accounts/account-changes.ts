import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import { CodedError } from "#contract/errors.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { cancelCodes, enqueueAccountMail } from "../notifications/index.ts";
import { isFailedTry } from "./local/failed-attempts.ts";
import { isTakenEmail } from "./local/local.ts";
import { invalidCode } from "./local/mailed-codes.ts";
import { checkPassword } from "./local/password-rules.ts";
import type { PasswordTurn } from "./local/passwords.ts";
import type { AccountClient, AccountParts, Accounts } from "./port.ts";
import type { TelegramSignIn } from "./telegram/telegram.ts";
import type { AccountTools } from "./tools.ts";
import { lockSignedIn, requireUser, storedEmail, type User } from "./users.ts";

const PROOF_SECONDS = 300;

type Changes = Pick<
  Accounts,
  | "reauthenticate"
  | "changePassword"
  | "changeEmail"
  | "confirmEmail"
  | "beginSecondFactor"
  | "confirmSecondFactor"
  | "removeSecondFactor"
>;

/** What a signed-in person changes about how they sign in (contract §8). */
export function createAccountChanges(
  parts: AccountParts,
  { attempts, passwords, mailedCodes, sessions, secondFactor, setPassword }: AccountTools,
  { read }: Pick<TelegramSignIn, "read">,
): Changes {
  const { database, clock } = parts;
  const { kysely } = database;
  type FactorTopic = "second_factor_on" | "second_factor_off";
  const mail = async (transaction: Transaction<Schema>, { id, email }: User, topic: FactorTopic) => {
    if (email === null) return;
    await enqueueAccountMail(transaction, { userId: id, recipient: email, topic, sourceKey: randomUUID() });
  };

  return {
    async reauthenticate({ userId, sessionId }, { password, initData, code }, client) {
      const user = await requireUser(kysely, userId);
      // Of the session: whoever has stolen its cookie keeps nobody else from signing in.
      const name = `reauthenticate ${sessionId}`;
      await attempts.begin(name);
      if (initData != null) {
        if (read(initData, PROOF_SECONDS).user.telegramId !== user.telegramId) throw notThem();
      } else if (
        !(await passwords.inTurn(turnOf(userId, client), () => passwords.verify(user.passwordHash, password ?? "")))
      )
        throw notThem();
      try {
        await secondFactor.require(user, code, `session ${sessionId}`);
      } catch (error) {
        if (!isFailedTry(error)) await attempts.takeBack(name);
        throw error;
      }
      await attempts.succeed(name);
      return sessions.reauthenticated(sessionId);
    },

    async changePassword(by, password, client) {
      const { userId, sessionId } = by;
      const user = await requireUser(kysely, userId);
      if (user.email === null) throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Add an email first");
      checkPassword(password, user.email);
      const passwordHash = await passwords.inTurn(turnOf(userId, client), () => passwords.hash(password));
      await inTransaction(database, async (transaction) => {
        await setPassword(transaction, await lockSignedIn(transaction, by), passwordHash);
        await sessions.endAll(transaction, userId, sessionId);
      });
      parts.onMail?.();
    },

    async changeEmail({ userId }, typed, client) {
      const recipient = storedEmail(typed);
      // Another person's mailbox must not be filled from here.
      await attempts.begin(`change email ${userId}`);
      const mail = { userId, recipient, sourceKey: randomUUID(), client };
      await enqueueAccountMail(kysely, { ...mail, topic: "email_change" });
      parts.onMail?.();
    },

    async confirmEmail(by, code, client) {
      const { userId, sessionId } = by;
      const issued = await passwords.inTurn(turnOf(userId, client), () =>
        mailedCodes.take(userId, "email_change", code, client),
      );
      if (issued === null) throw invalidCode();
      try {
        await inTransaction(database, async (transaction) => {
          const { email: former, emailConfirmedAt } = await lockSignedIn(transaction, by);
          if (!(await mailedCodes.use(transaction, userId, "email_change", issued.hash))) throw invalidCode();
          await transaction
            .updateTable("users")
            .set({ email: issued.email, email_confirmed_at: clock.now() })
            .where("id", "=", userId)
            .execute();
          // A code for a new password that went to the old address, or is on its way there.
          await cancelCodes(transaction, userId);
          await sessions.endAll(transaction, userId, sessionId);
          // The code of the address that it has already only confirms it.
          if (former !== null && former !== issued.email)
            await enqueueAccountMail(transaction, {
              userId,
              recipient: former,
              topic: "email_changed",
              isProved: emailConfirmedAt !== null,
              sourceKey: randomUUID(),
            });
        });
      } catch (error) {
        if (isTakenEmail(error))
          throw new CodedError("ERR_USER_ALREADY_REGISTERED", "There is an account with this email");
        throw error;
      }
      await attempts.succeed(`change email ${userId}`);
      parts.onMail?.();
    },

    beginSecondFactor: async ({ userId }) => secondFactor.begin(await requireUser(kysely, userId)),
    async confirmSecondFactor(by, code) {
      await secondFactor.checkNew(await requireUser(kysely, by.userId), code);
      const codes = await inTransaction(database, async (transaction) => {
        const user = await lockSignedIn(transaction, by);
        const recoveryCodes = await secondFactor.turnOn(transaction, user.id);
        await mail(transaction, user, "second_factor_on");
        return recoveryCodes;
      });
      parts.onMail?.();
      return codes;
    },
    async removeSecondFactor(by) {
      const hadOne = await inTransaction(database, async (transaction) => {
        const user = await lockSignedIn(transaction, by);
        if (user.permissions === "ADMIN")
          throw new CodedError("ERR_FORBIDDEN", "An administrator needs a second factor");
        await secondFactor.remove(transaction, user.id);
        if (user.hasSecondFactor) await mail(transaction, user, "second_factor_off");
        return user.hasSecondFactor;
      });
      if (hadOne) parts.onMail?.();
      return hadOne;
    },
  };
}

const turnOf = (userId: bigint, { prefix, network }: AccountClient): PasswordTurn => ({
  client: network ?? prefix,
  account: `user ${userId}`,
});

const notThem = () => new CodedError("ERR_INVALID_CREDENTIALS", "This does not prove who you are");
