import type { FastifyInstance } from "fastify";
import type { Update, UserFromGetMe } from "grammy/types";
import * as z from "zod/mini";
import { CodedError } from "#contract/errors.ts";
import { BOT_WEBHOOK_PATH } from "../../base/routes.ts";
import { equalsInConstantTime } from "../../base/secrets.ts";
import { createBot } from "./bot.ts";
import type { SeenUpdates } from "./seen-updates.ts";

export type BotWebhookParts = {
  /** What `setWebhook` was given: whoever doesn't send it is not the messenger. */
  secret: string;
  publicUrl: string;
  seen: SeenUpdates;
};

const SECRET_HEADER = "x-telegram-bot-api-secret-token";
/** Answers need no token: they go back as the answer of the messenger's own request. */
const NO_TOKEN = "0:answers-by-reply";
/** In a private chat nobody calls the bot by its name. */
const NAMELESS: UserFromGetMe = {
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

/** Where the messenger tells the bot what people write; one update is answered once, whichever processes hear of it. */
export function addBotWebhook(app: FastifyInstance, { secret, publicUrl, seen }: BotWebhookParts): void {
  const bot = createBot({
    token: NO_TOKEN,
    publicUrl,
    options: { client: { canUseWebhookReply: () => true }, botInfo: NAMELESS },
  });
  app.post<{ Body: z.output<typeof updateSchema> }>(
    BOT_WEBHOOK_PATH,
    {
      schema: { hide: true, body: updateSchema },
      // Before a word of the body is read.
      onRequest: async ({ headers }) => {
        if (!equalsInConstantTime(String(headers[SECRET_HEADER] ?? ""), secret))
          throw new CodedError("ERR_UNAUTHORIZED", "Only the messenger may call this");
      },
    },
    async ({ body }, reply) => {
      let answer = "{}";
      if (await seen.claim(body.update_id)) {
        // What else the messenger puts into an update is grammY's to read.
        const update = body as Update;
        await bot.handleUpdate(update, { send: (call) => void (answer = call) });
      }
      return reply.type("application/json; charset=utf-8").send(answer);
    },
  );
}
