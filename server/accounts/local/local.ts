import type { Kysely } from "kysely";
import pg from "pg";
import type { AuthenticateLocalBody, CreateLocalBody } from "#contract/accounts/account.ts";
import { CodedError } from "#contract/errors.ts";
import { toLocale } from "#contract/locale.ts";
import { clientHash } from "../../base/client-hash.ts";
import { foldedEmail } from "../../base/folded-email.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { rememberClient, requireReferrer } from "../../earnings/index.ts";
import { enqueueAccountMail } from "../../notifications/index.ts";
import { FREE_FAILURES, isFailedTry } from "./failed-attempts.ts";
import { randomToken } from "../../base/secrets.ts";
import { tokenHash } from "../sessions/tokens.ts";
import { checkPassword } from "./password-rules.ts";
import { beginAll, runAside, triesOf, turnOf, type Tries } from "./tries.ts";
import type { AccountClient, AccountParts, LocalSession } from "../port.ts";
import type { Known } from "../second-factor.ts";
import type { AccountTools } from "../tools.ts";
import { findUser, findUserByEmail, storedEmail, type User } from "../users.ts";

/** The owner is notified of this many failures, once a day. */
const FAILURES_TO_MAIL = 5;

export type LocalAccounts = {
  create(body: CreateLocalBody, client: AccountClient): Promise<void>;
  authenticate(body: AuthenticateLocalBody, client: AccountClient): Promise<LocalSession>;
};

const invalidCredentials = () => new CodedError("ERR_INVALID_CREDENTIALS", "The email or the password is wrong");
const alreadyRegistered = () => new CodedError("ERR_USER_ALREADY_REGISTERED", "There is an account with this email");

/** Accounts with an email and a password (contract §8). */
export function createLocalAccounts(parts: AccountParts, tools: AccountTools): LocalAccounts {
  const { database, clock } = parts;
  const { kysely } = database;
  const { attempts, passwords, secondFactor, sessions } = tools;

  const aside = runAside(database);

  /** Whose tries are counted together: a browser that was signed in before has a count of its own, so that nobody locks its owner out. */
  const triedBy = async (email: string, client: AccountClient): Promise<{ tries: Tries; known: Known | null }> => {
    const others = { tries: triesOf(`sign-in ${foldedEmail(email)}`, client), known: null };
    const { browser } = client;
    if (browser === null) return others;
    const hash = tokenHash(browser);
    const known = await kysely
      .selectFrom("known_browsers as b")
      .innerJoin("users as u", "u.id", "b.user_id")
      .select("u.email")
      .where("b.token_hash", "=", hash)
      .executeTakeFirst();
    const name = `browser ${hash.toString("hex")}` as const;
    return known?.email != null && foldedEmail(known.email) === foldedEmail(email)
      ? { tries: [{ name, free: FREE_FAILURES }], known: name }
      : others;
  };

  /** By it, orders that somebody refers to themselves are recognised. */
  const remember = async (
    db: Kysely<Schema>,
    userId: bigint,
    fingerprint: string | null | undefined,
    { prefix, network }: AccountClient,
  ): Promise<void> => {
    // As of the client of an order.
    const address = network ?? prefix;
    const hash = clientHash(fingerprint, address);
    await rememberClient(db, { userId, clientHash: hash, network: address, at: clock.now() });
  };

  const rememberBrowser = async (userId: bigint): Promise<string> => {
    const token = randomToken();
    await kysely
      .insertInto("known_browsers")
      .values({ token_hash: tokenHash(token), user_id: userId, used_at: clock.now() })
      .execute();
    return token;
  };

  return {
    async create({ email: typed, password, locale, referrerAffiliateId, browserFingerprint }, client) {
      const email = storedEmail(typed);
      checkPassword(password, email);
      const referrer =
        referrerAffiliateId == null || parts.arePartnerReferralsOn === false
          ? null
          : await requireReferrer(kysely, referrerAffiliateId);
      const password_hash = await passwords.inTurn(turnOf(client, email), () => passwords.hash(password));
      try {
        await inTransaction(database, async (transaction) => {
          const { id } = await transaction
            .insertInto("users")
            .values({ email, locale: toLocale(locale), referrer_user_id: referrer, created_at: clock.now() })
            .returning("id")
            .executeTakeFirstOrThrow();
          await transaction
            .insertInto("credentials")
            .values({ user_id: id, password_hash, changed_at: clock.now() })
            .execute();
          await remember(transaction, id, browserFingerprint, client);
          await enqueueAccountMail(transaction, {
            userId: id,
            recipient: email,
            client,
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
      const { tries, known } = await triedBy(email, client);
      const { name } = tries[0];
      // A browser that is known waits for nobody else who tries the same account.
      const turn = known !== null ? { client: name, account: name } : turnOf(client, email);
      const judged = () => judge(email, body, { tries, known, client });
      const { user, session } = await passwords.inTurn(turn, judged);
      await remember(kysely, user.id, body.browserFingerprint, client);
      return { userId: user.id, ...session, browser: known !== null ? null : await rememberBrowser(user.id) };
    },
  };

  async function judge(
    email: string,
    { password, code }: AuthenticateLocalBody,
    { tries, known, client }: { tries: Tries; known: Known | null; client: AccountClient },
  ) {
    const failures = await beginAll(attempts, tries);
    const user = await findUserByEmail(kysely, email);
    const isRight = await passwords.verify(user?.passwordHash ?? null, password);
    if (user === undefined || !isRight) {
      if (failures === FAILURES_TO_MAIL && user !== undefined)
        aside(mailFailures(user, client), "a mail was not stored");
      throw invalidCredentials();
    }
    try {
      await secondFactor.require(user, code, known);
    } catch (error) {
      // The password was right: only a wrong code is a failure.
      if (!isFailedTry(error)) await Promise.all(tries.map(({ name }) => attempts.takeBack(name)));
      throw error;
    }
    const session = await sessions.open({ userId: user.id, device: client.device });
    // A password that was changed meanwhile has ended all sessions but this one.
    if ((await findUser(kysely, user.id))?.passwordHash !== user.passwordHash) {
      await sessions.end(session.sessionId, user.id);
      throw invalidCredentials();
    }
    // A client's own count: whoever may sign in starts no network of theirs anew.
    await attempts.succeed(tries[0].name);
    await Promise.all(tries.slice(1).map(({ name }) => attempts.takeBack(name)));
    return { user, session };
  }

  async function mailFailures({ id, email }: User, client: AccountClient): Promise<void> {
    const day = clock.now().toISOString().slice(0, 10);
    if (email === null) return;
    const mail = { userId: id, recipient: email, sourceKey: day, client };
    await enqueueAccountMail(kysely, { ...mail, topic: "failed_sign_ins" });
    parts.onMail?.();
  }
}

export const isTakenEmail = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.constraint === "users_email";
