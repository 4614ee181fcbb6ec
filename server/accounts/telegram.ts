import { sql, type Kysely } from "kysely";
import { CodedError } from "#contract/errors.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { enqueueAccountMail } from "../notifications/index.ts";
import { readLaunchData, type Launch } from "./launch-data.ts";
import type { AccountParts, Accounts, OpenedSession } from "./port.ts";
import type { AccountTools } from "./tools.ts";
import { findUser, findUserByTelegram, requireUser, type User } from "./users.ts";

/** Launch data that links an account or proves who it is may be so old (contract §8). */
const PROOF_SECONDS = 300;

export type TelegramSignIn = Pick<Accounts, "authenticateLaunch" | "createByLaunch" | "linkTelegram"> & {
  /** Throws for launch data that is refused, or older than `maxSeconds`. */
  read(initData: string, maxSeconds?: number): Launch;
};

/** One message for every refusal, so that a forger learns nothing (contract §4). */
const refused = () => new CodedError("ERR_INVALID_CREDENTIALS", "This launch can't be trusted; open the app again");

export function createTelegramSignIn(parts: AccountParts, { sessions, secondFactor }: AccountTools): TelegramSignIn {
  const { database, clock, bot, realNow = () => new Date() } = parts;
  const { kysely } = database;

  const read = (initData: string, maxSeconds?: number): Launch => {
    const launch = bot === null ? null : readLaunchData(initData, bot, realNow());
    if (launch === null) throw refused();
    const age = realNow().getTime() / 1000 - Number(new URLSearchParams(initData).get("auth_date"));
    if (maxSeconds !== undefined && age > maxSeconds) throw refused();
    return launch;
  };

  const open = async (user: User, { botId, proof }: Launch, device: string | null): Promise<OpenedSession> => {
    const accessToken = await sessions.openByLaunch({ userId: user.id, device }, `telegram ${botId} ${proof}`);
    if (accessToken === null) throw refused();
    return { accessToken, userId: user.id };
  };

  return {
    read,
    async authenticateLaunch({ initData, code }, device) {
      const launch = read(initData);
      const known = await findUserByTelegram(kysely, launch.user.telegramId);
      if (known === undefined) throw new CodedError("ERR_NOT_FOUND", "There is no account of this Telegram user yet");
      await secondFactor.require(known, code);
      return open(known, launch, device);
    },
    async createByLaunch({ initData, code }, device) {
      const launch = read(initData);
      const locale = launch.user.languageCode?.startsWith("ru") === true ? "ru" : "en";
      await sql`
        insert into users (telegram_id, locale) values (${launch.user.telegramId}, ${locale})
        on conflict (telegram_id) do nothing`.execute(kysely);
      const user = await findUserByTelegram(kysely, launch.user.telegramId);
      if (user === undefined) throw new Error("the account was not stored");
      await secondFactor.require(user, code);
      return open(user, launch, device);
    },
    async linkTelegram({ userId }, initData) {
      const { telegramId } = read(initData, PROOF_SECONDS).user;
      await inTransaction(database, async (transaction) => {
        const users = await lockUsers(transaction, userId, telegramId);
        const user = await requireUser(transaction, userId);
        const other = users.find(({ id }) => id !== userId);
        if (user.telegramId === telegramId) return;
        if (user.telegramId !== null)
          throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Another Telegram user is linked to this account");
        if (user.email === null) throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "This account has no email");
        if (other !== undefined) await join(transaction, { from: other.id, to: userId });
        await transaction.updateTable("users").set({ telegram_id: telegramId }).where("id", "=", userId).execute();
        await enqueueAccountMail(transaction, {
          userId,
          recipient: user.email,
          topic: "telegram_linked",
          sourceKey: String(telegramId),
        });
      });
      parts.onMail?.();
    },
  };

  /** Both rows, in one order everywhere. */
  function lockUsers(transaction: Kysely<Schema>, userId: bigint, telegramId: bigint): Promise<{ id: bigint }[]> {
    return transaction
      .selectFrom("users")
      .select("id")
      .where((is) => is.or([is("id", "=", userId), is("telegram_id", "=", telegramId)]))
      .orderBy("id")
      .forUpdate()
      .execute();
  }

  /** Moves what a Telegram account has to a local one. Its row stays without its Telegram user: archived orders may name it. */
  async function join(transaction: Kysely<Schema>, { from, to }: { from: bigint; to: bigint }): Promise<void> {
    if ((await findUser(transaction, from))?.email !== null)
      throw new CodedError("ERR_USER_ALREADY_REGISTERED", "This Telegram user is linked to another account");
    await transaction.updateTable("orders").set({ user_id: to }).where("user_id", "=", from).execute();
    await sessions.endAll(transaction, from);
    await transaction
      .updateTable("users")
      .set({ telegram_id: null, deleted_at: clock.now() })
      .where("id", "=", from)
      .execute();
  }
}
