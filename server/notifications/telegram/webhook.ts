import type { FastifyInstance } from "fastify";
import type { Update, UserFromGetMe } from "grammy/types";
import { sql } from "kysely";
import * as z from "zod/mini";
import { CodedError } from "#contract/errors.ts";
import { BOT_WEBHOOK_PATH } from "../../base/routes.ts";
import { equalsInConstantTime } from "../../base/secrets.ts";
import type { Database } from "../../db/database.ts";
import { createBot } from "./bot.ts";

export type BotWebhookParts = {
  /** The secret given to `setWebhook`: a request without it is not from Telegram. */
  secret: string;
  publicUrl: string;
  seen: SeenUpdates;
};

const SECRET_HEADER = "x-telegram-bot-api-secret-token";
/** Replies need no token: they are sent as the response to Telegram's own request. */
const NO_TOKEN = "0:answers-by-reply";
/** The bot's profile, which private chats do not need. */
const BOT_INFO: UserFromGetMe = {
  id: 0,
  is_bot: true,
  first_name: "",
  username: "",
  can_join_groups: false,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
  supports_join_request_queries: false,
};

const updateSchema = z.looseObject({ update_id: z.int().check(z.nonnegative()) });

/** The webhook for Telegram updates; each update is handled once, by one of all the processes. */
export function addBotWebhook(app: FastifyInstance, { secret, publicUrl, seen }: BotWebhookParts): void {
  const bot = createBot({
    token: NO_TOKEN,
    publicUrl,
    options: { client: { canUseWebhookReply: () => true }, botInfo: BOT_INFO },
  });
  app.post<{ Body: z.output<typeof updateSchema> }>(
    BOT_WEBHOOK_PATH,
    {
      schema: { hide: true, body: updateSchema },
      // Before the body is read.
      onRequest: async ({ headers }) => {
        if (!equalsInConstantTime(String(headers[SECRET_HEADER] ?? ""), secret))
          throw new CodedError("ERR_UNAUTHORIZED", "Only Telegram may call this");
      },
    },
    async ({ body }, reply) => {
      let answer = "{}";
      if (await seen.markSeen(body.update_id)) {
        // grammY reads the rest of the update.
        const update = body as Update;
        await bot.handleUpdate(update, { send: (call) => void (answer = call) });
      }
      return reply.type("application/json; charset=utf-8").send(answer);
    },
  );
}

/** Longer than Telegram repeats an update. */
const KEPT_HOURS = 48;

export type SeenUpdates = {
  /** True for the first call with this id, in one of all processes. */
  markSeen(updateId: number): Promise<boolean>;
  /** Deletes ids that Telegram no longer repeats. */
  prune(): Promise<void>;
};

export function createSeenUpdates({ kysely }: Database): SeenUpdates {
  return {
    async markSeen(updateId) {
      const { numInsertedOrUpdatedRows } = await kysely
        .insertInto("bot_updates")
        .values({ update_id: BigInt(updateId) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    async prune() {
      const oldest = sql<Date>`now() - make_interval(hours => ${KEPT_HOURS})`;
      await kysely.deleteFrom("bot_updates").where("seen_at", "<", oldest).execute();
    },
  };
}
