import { localeOfTag } from "#contract/locale.ts";
import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { deeplinkReferrer } from "#contract/links/deeplink.ts";
import { CodedError } from "#contract/errors.ts";
import { clientHash } from "../../base/client-hash.ts";
import type { SignedIn } from "../../base/routes.ts";
import { RefusedLaunchError } from "../../base/sign-in-errors.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { findReferrer, rememberClient } from "../../earnings/index.ts";
import { enqueueAccountMail } from "../../notifications/index.ts";
import { joinAccounts } from "./join-accounts.ts";
import { readLaunchData, type Launch } from "./launch-data.ts";
import type { AccountClient, AccountParts, Accounts, OpenedSession } from "../port.ts";
import type { AccountTools } from "../tools.ts";
import { findUserByTelegram, lockSignedIn, type User } from "../users.ts";

/** Launch data that links an account or proves who it is may be so old (contract §8). */
const PROOF_SECONDS = 300;

export type TelegramSignIn = Pick<
  Accounts,
  "authenticateLaunch" | "createByLaunch" | "linkTelegram" | "unlinkTelegram"
> & {
  /** Throws for launch data that is refused, or older than `maxSeconds`. */
  read(initData: string, maxSeconds?: number): Launch;
};

export function createTelegramSignIn(
  parts: AccountParts,
  { sessions, secondFactor, areas }: AccountTools,
): TelegramSignIn {
  const { database, clock, bot, realNow = () => new Date() } = parts;
  const { kysely } = database;

  const ageMs = ({ signedAt }: Launch): number => Math.max(0, realNow().getTime() - signedAt.getTime());

  const read = (initData: string, maxSeconds?: number): Launch => {
    const launch = bot === null ? null : readLaunchData(initData, bot, realNow());
    if (launch === null) throw new RefusedLaunchError();
    if (maxSeconds !== undefined && ageMs(launch) > maxSeconds * 1000) throw new RefusedLaunchError();
    return launch;
  };

  /** Whose link opened the app; an unknown one changes nothing. */
  const referrerOf = async (initData: string): Promise<bigint | null> => {
    const parsed = deeplinkReferrer(new URLSearchParams(initData).get("start_param") ?? "");
    const given = parts.arePartnerReferralsOn === false ? null : parsed;
    return given === null ? null : findReferrer(kysely, given);
  };

  const open = async (user: User, launch: Launch, client: AccountClient): Promise<OpenedSession> => {
    const { telegramId } = launch.user;
    // Who launched the app proved it to Telegram then; using the launch later proves nothing more.
    const authenticatedAt = new Date(clock.now().getTime() - ageMs(launch));
    const opening = { userId: user.id, telegramId, device: client.device, authenticatedAt };
    const accessToken = await sessions.openByLaunch(opening, `telegram ${launch.botId} ${launch.proof}`);
    if (accessToken === null) throw new RefusedLaunchError();
    // Of the address alone: many Telegram users share one, and none says which browser it is.
    const network = client.network ?? client.prefix;
    const own = clientHash(`telegram ${telegramId}`, network);
    await rememberClient(kysely, { userId: user.id, clientHash: own, network, at: clock.now() });
    return { accessToken, userId: user.id };
  };

  return {
    read,
    async authenticateLaunch({ initData, code }, client) {
      const launch = read(initData);
      const known = await findUserByTelegram(kysely, launch.user.telegramId);
      if (known === undefined) throw new CodedError("ERR_NOT_FOUND", "There is no account of this Telegram user yet");
      await secondFactor.require(known, code, "telegram");
      return open(known, launch, client);
    },
    async createByLaunch({ initData, code }, client) {
      const launch = read(initData);
      const locale = localeOfTag(launch.user.languageCode);
      const referrer = await referrerOf(initData);
      await sql`
        insert into users (telegram_id, locale, referrer_user_id, created_at)
        values (${launch.user.telegramId}, ${locale}, ${referrer}, ${clock.now()})
        on conflict (telegram_id) do nothing`.execute(kysely);
      const user = await findUserByTelegram(kysely, launch.user.telegramId);
      if (user === undefined) throw new Error("the account was not stored");
      await secondFactor.require(user, code, "telegram");
      return open(user, launch, client);
    },
    async linkTelegram(by, initData) {
      const { userId } = by;
      const { telegramId } = read(initData, PROOF_SECONDS).user;
      const isNew = await inTransaction(database, async (transaction) => {
        const users = await lockUsers(transaction, userId, telegramId);
        const user = await lockSignedIn(transaction, by);
        const other = users.find(({ id }) => id !== userId);
        if (user.telegramId === telegramId) return false;
        if (user.telegramId !== null)
          throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Another Telegram user is linked to this account");
        if (user.email === null) throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "This account has no email");
        if (other !== undefined) {
          await joinAccounts(transaction, areas, { from: other.id, to: userId, at: clock.now() });
          await sessions.endAll(transaction, other.id);
        }
        await transaction.updateTable("users").set({ telegram_id: telegramId }).where("id", "=", userId).execute();
        await enqueueAccountMail(transaction, {
          userId,
          recipient: user.email,
          topic: "telegram_linked",
          sourceKey: randomUUID(),
        });
        return true;
      });
      if (isNew) parts.onMail?.();
      return isNew;
    },
    async unlinkTelegram(by) {
      const wasLinked = await inTransaction(database, (transaction) => unlink(transaction, by));
      if (wasLinked) parts.onMail?.();
      return wasLinked;
    },
  };

  async function unlink(transaction: Transaction<Schema>, by: SignedIn): Promise<boolean> {
    const { userId, sessionId } = by;
    const user = await lockSignedIn(transaction, by);
    if (user.telegramId === null) return false;
    if (user.email === null)
      throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Add an email first: this account has no other way to sign in");
    await transaction.updateTable("users").set({ telegram_id: null }).where("id", "=", userId).execute();
    await sessions.endAll(transaction, userId, sessionId, "telegram");
    await enqueueAccountMail(transaction, {
      userId,
      recipient: user.email,
      topic: "telegram_unlinked",
      sourceKey: randomUUID(),
    });
    return true;
  }

  /** Both rows, in one order everywhere. */
  function lockUsers(transaction: Transaction<Schema>, userId: bigint, telegramId: bigint): Promise<{ id: bigint }[]> {
    return transaction
      .selectFrom("users")
      .select("id")
      .where((is) => is.or([is("id", "=", userId), is("telegram_id", "=", telegramId)]))
      .orderBy("id")
      .forUpdate()
      .execute();
  }
}
