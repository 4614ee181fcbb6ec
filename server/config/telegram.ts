import { z } from "zod";
import { BOT_WEBHOOK_PATH } from "../base/routes.ts";
import { ConfigError } from "../base/processes/startup-error.ts";
import { address, type Process, type Values } from "./values.ts";

/**
 * Signs launch data while the sandbox has no bot of its own: whoever tries the app can sign for any user (contract §6).
 *
 * @internal Exported for its tests.
 */
export const SANDBOX_BOT_TOKEN = "1000000000:sandbox-has-no-bot";

/** Telegram's own keys, which sign for every bot: https://core.telegram.org/bots/webapps#validating-data-for-third-party-use */
const TELEGRAM_KEYS = {
  production: "e7bf03a2fa4602af4580703d88dda5bb59f32ed8b02a56c187fe7d34caed242d",
  test: "40055058a4ee38156a06562e52eece92a771bcd8346a8c4615cb7376eddf72ec",
} as const;

export const telegramVariables = {
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d{1,16}:[\w-]{30,64}$/, "must be a bot token as BotFather gives it: a number, a colon and its secret")
    .optional(),
  TELEGRAM_BOT_ID: z.string().regex(/^\d+$/, "must be the number before the colon of the bot's token").optional(),
  TELEGRAM_ENVIRONMENT: z.enum(["production", "test"], "must be production or test").default("production"),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,256}$/, "must be 16 to 256 characters of A-Z, a-z, 0-9, _ and -")
    .optional(),
  TELEGRAM_API_URL: address(["http:", "https:"]).default("https://api.telegram.org"),
};

export type TelegramConfig = Readonly<{
  /** What launch data is checked with; null: nobody signs in through Telegram. */
  launch: { readonly token: string } | { readonly id: string; readonly publicKey: string } | null;
  /** Null: no bot runs. */
  botToken: string | null;
  apiUrl: string;
  /** Null: the bot polls for updates. */
  webhook: Readonly<{ url: string; secret: string }> | null;
}>;

/** A process with the bot's id alone checks launch data by Telegram's own signature, and holds no token. */
export function telegramConfig(
  value: Values<typeof telegramVariables>,
  { sandbox, publicUrl }: Process,
): TelegramConfig {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_ID: id, TELEGRAM_WEBHOOK_SECRET: secret } = value;
  // An id of the test environment is another person's in the production environment.
  if (value.TELEGRAM_ENVIRONMENT === "test" && !sandbox)
    throw new ConfigError("TELEGRAM_ENVIRONMENT=test is for the sandbox: set SANDBOX=on, or leave it out");
  const publicKey = TELEGRAM_KEYS[value.TELEGRAM_ENVIRONMENT];
  const sandboxBot = sandbox ? { token: SANDBOX_BOT_TOKEN } : null;
  const hasWebhook = secret !== undefined && (token ?? id) !== undefined;
  // Telegram calls no other; the sandbox may have a Bot API server of its own.
  if (hasWebhook && !sandbox && !publicUrl.startsWith("https:"))
    throw new ConfigError("TELEGRAM_WEBHOOK_SECRET needs a PUBLIC_URL with https");
  return Object.freeze({
    launch: token !== undefined ? { token } : id !== undefined ? { id, publicKey } : sandboxBot,
    botToken: token ?? null,
    apiUrl: value.TELEGRAM_API_URL,
    webhook: hasWebhook ? Object.freeze({ url: new URL(BOT_WEBHOOK_PATH, publicUrl).href, secret }) : null,
  });
}
