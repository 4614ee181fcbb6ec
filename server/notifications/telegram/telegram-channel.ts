import { Api, GrammyError, HttpError, InlineKeyboard } from "grammy";
import * as z from "zod";
import type { Courier } from "../channel.ts";
import type { Outcome } from "../port.ts";
import { writeNote, type Desktop } from "../mail/templates.ts";

/** Shorter than the lease of a row, so that two workers never send the same one. */
const TIMEOUT_SECONDS = 30;

/** Notes from the bot to whoever made the order inside the messenger. */
export function telegramCourier(bot: { token: string; apiUrl: string }, desktop: Desktop): Courier {
  const api = new Api(bot.token, { apiRoot: bot.apiUrl, timeoutSeconds: TIMEOUT_SECONDS });
  return async (message, { order_id: orderId, reference, locale, telegram_id: chat }, signal) => {
    if (chat === null) return { kind: "refused", isFinal: true, reason: "the order's owner is not in the messenger" };
    const { text, link } = writeNote(message, { orderId, reference, locale }, desktop);
    // The messenger takes buttons to https alone.
    const isButton = link.href.startsWith("https:");
    try {
      const sending = api.sendMessage(chat, isButton ? text : `${text}\n\n${link.href}`, {
        link_preview_options: { is_disabled: true },
        ...(isButton && { reply_markup: new InlineKeyboard().webApp(link.words, link.href) }),
      });
      await Promise.race([sending, endOf(signal)]);
      return { kind: "accepted" };
    } catch (error) {
      return outcomeOf(error);
    }
  };
}

class StoppedError extends Error {}

const endOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new StoppedError()), { once: true }));

const neverArrived = z.object({ code: z.enum(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"]) });

/** A bot that was blocked stays so; a wrong token or too many messages are mended from outside. */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof GrammyError) {
    const reason = `the messenger said ${error.error_code}`;
    if (error.error_code >= 500) return { kind: "unknown", reason };
    return { kind: "refused", isFinal: error.error_code === 400 || error.error_code === 403, reason };
  }
  if (error instanceof StoppedError) return { kind: "unknown", reason: "stopped while sending" };
  if (!(error instanceof HttpError)) throw error;
  if (neverArrived.safeParse(error.error).success)
    return { kind: "refused", isFinal: false, reason: "the messenger can't be reached" };
  return { kind: "unknown", reason: "no answer of the messenger" };
}
