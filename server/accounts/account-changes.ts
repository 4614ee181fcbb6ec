import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { normalisedCode } from "../base/mailed-code.ts";
import { inTransaction } from "../db/transaction.ts";
import { enqueueAccountMail } from "../notifications/index.ts";
import { isTakenEmail } from "./local.ts";
import { checkPassword } from "./password-rules.ts";
import type { PasswordTurn } from "./passwords.ts";
import type { AccountClient, AccountParts, Accounts } from "./port.ts";
import type { TelegramSignIn } from "./telegram.ts";
import type { AccountTools } from "./tools.ts";
import { requireUser, storedEmail, type User } from "./users.ts";

const CODE_MINUTES = 30;
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
  const { database } = parts;
  const { kysely } = database;
  const mail = async (user: User, topic: "second_factor_on" | "second_factor_off") => {
    if (user.email === null) return;
    await enqueueAccountMail(kysely, { userId: user.id, recipient: user.email, topic, sourceKey: randomUUID() });
    parts.onMail?.();
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
        await secondFactor.require(user, code);
      } catch (error) {
        if (error instanceof CodedError && error.code === "ERR_FORBIDDEN") await attempts.takeBack(name);
        throw error;
      }
      await attempts.succeed(name);
      return sessions.reauthenticated(sessionId);
    },

    async changePassword({ userId, sessionId }, password, client) {
      const user = await requireUser(kysely, userId);
      if (user.email === null) throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Add an email first");
      checkPassword(password, user.email);
      const passwordHash = await passwords.inTurn(turnOf(userId, client), () => passwords.hash(password));
      await inTransaction(database, async (transaction) => {
        await setPassword(transaction, user, passwordHash);
        await sessions.endAll(transaction, userId, sessionId);
      });
      parts.onMail?.();
    },

    async changeEmail({ userId }, typed) {
      const recipient = storedEmail(typed);
      // A stranger's mailbox must not be filled from here.
      await attempts.begin(`change email ${userId}`);
      await enqueueAccountMail(kysely, { userId, recipient, topic: "email_change", sourceKey: randomUUID() });
      parts.onMail?.();
    },

    async confirmEmail({ userId, sessionId }, code, client) {
      const user = await requireUser(kysely, userId);
      const issued = await mailedCodes.take(userId, "email_change", CODE_MINUTES);
      const isRight = await passwords.inTurn(turnOf(userId, client), () =>
        passwords.verify(issued?.hash ?? null, normalisedCode(code)),
      );
      if (issued === null || !isRight) throw invalidCode();
      try {
        await inTransaction(database, async (transaction) => {
          if (!(await mailedCodes.use(transaction, userId, "email_change", issued.hash))) throw invalidCode();
          await transaction.updateTable("users").set({ email: issued.email }).where("id", "=", userId).execute();
          // A code for a new password that went to the old address.
          await sql`delete from mailed_codes where user_id = ${userId}`.execute(transaction);
          await sessions.endAll(transaction, userId, sessionId);
          if (user.email !== null)
            await enqueueAccountMail(transaction, {
              userId,
              recipient: user.email,
              topic: "email_changed",
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
    async confirmSecondFactor({ userId }, code) {
      const user = await requireUser(kysely, userId);
      const codes = await secondFactor.confirm(user, code);
      await mail(user, "second_factor_on");
      return codes;
    },
    async removeSecondFactor({ userId }) {
      const user = await requireUser(kysely, userId);
      if (user.permissions === "ADMIN") throw new CodedError("ERR_FORBIDDEN", "An administrator needs a second factor");
      await secondFactor.remove(userId);
      if (user.hasSecondFactor) await mail(user, "second_factor_off");
    },
  };
}

const turnOf = (userId: bigint, { prefix }: AccountClient): PasswordTurn => ({
  client: prefix,
  account: `user ${userId}`,
});

const notThem = () => new CodedError("ERR_INVALID_CREDENTIALS", "This does not prove who you are");
const invalidCode = () => new CodedError("ERR_INVALID_PASSWORD_RESET_CODE", "This code is not valid (any more)");
