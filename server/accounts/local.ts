import { randomUUID } from "node:crypto";
import pg from "pg";
import type { AuthenticateLocalBody, CreateLocalBody } from "#contract/account.ts";
import type { BodyOf } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import { normalisedCode } from "../base/mailed-code.ts";
import { inTransaction } from "../db/transaction.ts";
import { enqueueAccountMail } from "../notifications/index.ts";
import { newToken, tokenHash } from "./tokens.ts";
import { checkPassword } from "./password-rules.ts";
import type { PasswordTurn } from "./passwords.ts";
import type { AccountClient, AccountParts, LocalSession } from "./port.ts";
import type { AccountTools } from "./tools.ts";
import { findUser, findUserByEmail, localeOf, storedEmail, type User } from "./users.ts";

/** The owner is told of this many failures, once a day. */
const FAILURES_TO_MAIL = 5;
const CODE_MINUTES = 30;

export type LocalAccounts = {
  create(body: CreateLocalBody, client: AccountClient): Promise<void>;
  authenticate(body: AuthenticateLocalBody, client: AccountClient): Promise<LocalSession>;
  requestPasswordReset(email: string): Promise<void>;
  resetPassword(body: BodyOf<"resetPassword">, client: AccountClient): Promise<void>;
};

const invalidCredentials = () => new CodedError("ERR_INVALID_CREDENTIALS", "The email or the password is wrong");
const alreadyRegistered = () => new CodedError("ERR_USER_ALREADY_REGISTERED", "There is an account with this email");

/** Accounts with an email and a password (contract §8). */
export function createLocalAccounts(parts: AccountParts, tools: AccountTools): LocalAccounts {
  const { database, clock } = parts;
  const { kysely } = database;
  const { attempts, passwords, secondFactor, sessions } = tools;

  /** What no answer waits for: its time would tell whether there is an account. */
  const aside = (work: Promise<unknown>, problem: string): void => {
    work.catch((error: unknown) => database.log.error({ err: error }, problem));
  };

  /** Whose tries are counted together: a browser that was signed in before has a count of its own, so that nobody locks its owner out. */
  const nameOf = async (email: string, { prefix, browser }: AccountClient) => {
    const others = { name: `sign-in ${email.toLowerCase()} ${prefix}`, isKnownBrowser: false };
    if (browser === null) return others;
    const hash = tokenHash(browser);
    const known = await kysely
      .selectFrom("known_browsers as b")
      .innerJoin("users as u", "u.id", "b.user_id")
      .select("u.email")
      .where("b.token_hash", "=", hash)
      .executeTakeFirst();
    return known?.email?.toLowerCase() === email.toLowerCase()
      ? { name: `browser ${hash.toString("hex")}`, isKnownBrowser: true }
      : others;
  };

  const rememberBrowser = async (userId: bigint): Promise<string> => {
    const token = newToken();
    await kysely
      .insertInto("known_browsers")
      .values({ token_hash: tokenHash(token), user_id: userId, used_at: clock.now() })
      .execute();
    return token;
  };

  return {
    async create({ email: typed, password, locale, referrerAffiliateId }, client) {
      const email = storedEmail(typed);
      checkPassword(password, email);
      const password_hash = await passwords.inTurn(turnOf(client, email), () => passwords.hash(password));
      try {
        await inTransaction(database, async (transaction) => {
          const { id } = await transaction
            .insertInto("users")
            .values({ email, locale: localeOf(locale), referrer_id: referrerAffiliateId ?? null })
            .returning("id")
            .executeTakeFirstOrThrow();
          await transaction
            .insertInto("credentials")
            .values({ user_id: id, password_hash, changed_at: clock.now() })
            .execute();
          await enqueueAccountMail(transaction, {
            userId: id,
            recipient: email,
            topic: "welcome",
            sourceKey: "created",
          });
        });
      } catch (error) {
        if (isTakenEmail(error)) throw alreadyRegistered();
        throw error;
      }
      parts.onMail?.();
    },

    async authenticate(body, client) {
      const email = storedEmail(body.email);
      const { name, isKnownBrowser } = await nameOf(email, client);
      // A browser that is known waits for no stranger who tries the same account.
      const turn = isKnownBrowser ? { client: name, account: name } : turnOf(client, email);
      const { user, session } = await passwords.inTurn(turn, () => judge(email, body, { name, device: client.device }));
      return { userId: user.id, ...session, browser: isKnownBrowser ? null : await rememberBrowser(user.id) };
    },

    async requestPasswordReset(typed) {
      const email = storedEmail(typed);
      // Counted as sign-ins are, and for unknown emails alike; who asks too often gets the same answer and no mail.
      const isAllowed = await attempts.begin(`reset ${email.toLowerCase()}`).then(
        () => true,
        (error: unknown) => {
          if (error instanceof CodedError) return false;
          throw error;
        },
      );
      if (isAllowed) aside(mailCode(email), "a mail with a code was not stored");
    },

    async resetPassword(body, client) {
      const email = storedEmail(body.email);
      checkPassword(body.password, email);
      await passwords.inTurn(turnOf(client, email), () => reset(email, body));
      parts.onMail?.();
    },
  };

  async function judge(
    email: string,
    { password, code }: AuthenticateLocalBody,
    { name, device }: { name: string; device: string | null },
  ) {
    const failures = await attempts.begin(name);
    const user = await findUserByEmail(kysely, email);
    const isRight = await passwords.verify(user?.passwordHash ?? null, password);
    if (user === undefined || !isRight) {
      if (failures === FAILURES_TO_MAIL && user !== undefined) aside(mailFailures(user), "a mail was not stored");
      throw invalidCredentials();
    }
    try {
      await secondFactor.require(user, code);
    } catch (error) {
      // The password was right: only a wrong code is a failure.
      if (error instanceof CodedError && error.code === "ERR_FORBIDDEN") await attempts.takeBack(name);
      throw error;
    }
    const session = await sessions.open({ userId: user.id, device });
    // A password that was changed meanwhile has ended all sessions but this one.
    if ((await findUser(kysely, user.id))?.passwordHash !== user.passwordHash) {
      await sessions.end(session.sessionId, user.id);
      throw invalidCredentials();
    }
    await attempts.succeed(name);
    return { user, session };
  }

  async function reset(email: string, { password, resetCode }: BodyOf<"resetPassword">): Promise<void> {
    const user = await findUserByEmail(kysely, email);
    const issued = user === undefined ? null : await tools.mailedCodes.take(user.id, "password_reset", CODE_MINUTES);
    const isRight = await passwords.verify(issued?.hash ?? null, normalisedCode(resetCode));
    if (user === undefined || issued === null || !isRight) throw invalidCode();
    const password_hash = await passwords.hash(password);
    await inTransaction(database, async (transaction) => {
      if (!(await tools.mailedCodes.use(transaction, user.id, "password_reset", issued.hash))) throw invalidCode();
      await tools.setPassword(transaction, user, password_hash);
      await sessions.endAll(transaction, user.id);
    });
  }

  async function mailFailures({ id, email }: User): Promise<void> {
    const day = clock.now().toISOString().slice(0, 10);
    if (email === null) return;
    await enqueueAccountMail(kysely, { userId: id, recipient: email, topic: "failed_sign_ins", sourceKey: day });
    parts.onMail?.();
  }

  async function mailCode(email: string): Promise<void> {
    const user = await findUserByEmail(kysely, email);
    if (user === undefined || user.email === null) return;
    const mail = { userId: user.id, recipient: user.email, sourceKey: randomUUID() };
    await enqueueAccountMail(kysely, { ...mail, topic: "password_reset" });
    parts.onMail?.();
  }
}

const turnOf = ({ prefix }: AccountClient, email: string): PasswordTurn => ({
  client: prefix,
  account: email.toLowerCase(),
});

const invalidCode = () => new CodedError("ERR_INVALID_PASSWORD_RESET_CODE", "This code is not valid (any more)");

export const isTakenEmail = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.constraint === "users_email";
