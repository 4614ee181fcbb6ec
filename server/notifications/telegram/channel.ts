import { Api, GrammyError, HttpError, InlineKeyboard } from "grammy";
import * as z from "zod";
import { messageText, type AccountContext, type MessageContext, type MessageText } from "../message-text.ts";
import type { Database } from "../../db/database.ts";
import { accountText } from "../account-mails.ts";
import type { AccountChannel, Channel } from "../outbox.ts";
import type { DeliveryResult } from "../port.ts";

/** Shorter than the lease of a row, so that two workers never send the same one. */
const TIMEOUT_SECONDS = 30;

type BotAccess = { token: string; apiUrl: string };

/** Sends messages of the bot to the Telegram user who made the order. */
export function createTelegramChannel(bot: BotAccess, context: MessageContext): Channel {
  const send = createSender(bot);
  return async (message, { order_id: orderId, reference, locale, telegram_id: chat }, signal) => {
    if (chat === null) return { kind: "refused", isFinal: true, reason: "the order has no Telegram user" };
    return send(chat, messageText(message, { orderId, reference, locale }, context), signal);
  };
}

/** Sends messages of the bot to the Telegram user of an account. */
export function createTelegramAccountChannel(
  bot: BotAccess,
  database: Database,
  context: AccountContext,
): AccountChannel {
  const send = createSender(bot);
  return async ({ id, user_id: userId, recipient, topic, locale, payload }, signal) => {
    const message = { id: BigInt(id), userId: BigInt(userId), recipient, topic, locale, payload };
    const text = await accountText(database, message, context);
    if (text === null) return { kind: "refused", isFinal: true, reason: "outdated" };
    return send(recipient, text, signal);
  };
}

function createSender({ token, apiUrl }: BotAccess) {
  const api = new Api(token, { apiRoot: apiUrl, timeoutSeconds: TIMEOUT_SECONDS });
  return async (
    chat: string,
    { subject, paragraphs, links }: MessageText,
    signal: AbortSignal,
  ): Promise<DeliveryResult> => {
    const text = [subject, ...paragraphs].join("\n\n");
    // Telegram accepts buttons with https links only.
    const areButtons = links.every(({ href }) => href.startsWith("https:"));
    const buttons = links.map(({ label, href }) => [InlineKeyboard.webApp(label, href)]);
    try {
      const sending = api.sendMessage(chat, areButtons ? text : [text, ...links.map(linkText)].join("\n\n"), {
        link_preview_options: { is_disabled: true },
        ...(areButtons && { reply_markup: new InlineKeyboard(buttons) }),
      });
      await Promise.race([sending, abortOf(signal)]);
      return { kind: "accepted" };
    } catch (error) {
      return resultOf(error);
    }
  };
}

const linkText = ({ href }: MessageText["links"][number]): string => href;

class StoppedError extends Error {}

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new StoppedError()), { once: true }));

const neverArrived = z.object({ code: z.enum(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"]) });

/** A blocked bot is final; a wrong token is fixed by the operator and a rate limit ends, so the message is retried. */
function resultOf(error: unknown): DeliveryResult {
  if (error instanceof GrammyError) {
    const reason = `Telegram answered ${error.error_code}`;
    if (error.error_code >= 500) return { kind: "unknown", reason };
    return { kind: "refused", isFinal: error.error_code === 400 || error.error_code === 403, reason };
  }
  if (error instanceof StoppedError) return { kind: "unknown", reason: "stopped while sending" };
  if (!(error instanceof HttpError)) throw error;
  if (neverArrived.safeParse(error.error).success)
    return { kind: "refused", isFinal: false, reason: "Telegram can't be reached" };
  return { kind: "unknown", reason: "no answer from Telegram" };
}
