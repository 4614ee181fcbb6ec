import { sql } from "kysely";
import { CodedError } from "#contract/errors.ts";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { readLaunchData, type Bot, type Launch } from "./launch-data.ts";
import type { Accounts, OpenedSession } from "./port.ts";
import { createSessions } from "./sessions.ts";

export type AccountParts = {
  database: Database;
  /** Of tokens; launch data is judged by real time, which is Telegram's. */
  clock: Clock;
  /** Null: nobody can sign in through Telegram. */
  bot: Bot | null;
  realNow?: () => Date;
};

/** One message for every refusal, so that a forger learns nothing (contract §4). */
const refused = () => new CodedError("ERR_INVALID_CREDENTIALS", "This launch can't be trusted; open the app again");

export function createAccounts({ database, clock, bot, realNow = () => new Date() }: AccountParts): Accounts {
  const { kysely } = database;
  const sessions = createSessions(database, clock);

  const read = (initData: string): Launch => {
    const launch = bot === null ? null : readLaunchData(initData, bot, realNow());
    if (launch === null) throw refused();
    return launch;
  };

  const open = async (userId: bigint, { botId, proof }: Launch): Promise<OpenedSession> => {
    const accessToken = await sessions.open(userId, `telegram ${botId} ${proof}`);
    if (accessToken === null) throw refused();
    return { accessToken, userId };
  };

  return {
    async authenticateLaunch(initData) {
      const launch = read(initData);
      const known = await kysely
        .selectFrom("users")
        .select("id")
        .where("telegram_id", "=", launch.user.telegramId)
        .executeTakeFirst();
      if (known === undefined) throw new CodedError("ERR_NOT_FOUND", "There is no account of this Telegram user yet");
      return open(known.id, launch);
    },
    async createByLaunch(initData) {
      const launch = read(initData);
      const { rows } = await sql<{ id: bigint }>`
        insert into users (telegram_id) values (${launch.user.telegramId})
        on conflict (telegram_id) do update set telegram_id = excluded.telegram_id
        returning id`.execute(kysely);
      if (rows[0] === undefined) throw new Error("the account was not stored");
      return open(rows[0].id, launch);
    },
    authenticateToken: (accessToken) => sessions.find(accessToken),
    // A Telegram account has no email until it is linked to a local one.
    accountData: async (userId) => ({
      userId: Number(userId),
      email: null,
      permissions: "USER",
      adminPermissionsScope: null,
      isTelegramLinked: true,
      hasSecondFactor: false,
      createdAt: new Date(0).toISOString(),
    }),
    logOut: (accessToken) => sessions.end(accessToken),
    prune: () => sessions.prune(),
  };
}
