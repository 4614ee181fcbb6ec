import { Bot, InlineKeyboard, type BotConfig, type Context } from "grammy";
import { readDeeplink } from "#contract/deeplink.ts";
import { ORDER_LOCALES, orderLocaleOf, type OrderLocale } from "#contract/order.ts";
import { fixedT } from "../../base/i18n.ts";

export type BotParts = { token: string; publicUrl: string; options: BotConfig<Context> };

/** The bot that opens the mini-app: by `/start`, with a deeplink's argument at the page that it names, and by its menu button. */
export function createBot({ token, publicUrl, options }: BotParts): Bot {
  const bot = new Bot(token, options);
  bot.chatType("private").command("start", (context) => greet(context, context.match, publicUrl));
  bot.chatType("private").on("message", (context) => greet(context, "", publicUrl));
  return bot;
}

/** Sets what Telegram shows beside the bot's chat: the menu button and the list of commands, in each language. */
export async function configureBot({ api }: Bot, publicUrl: string): Promise<void> {
  // Telegram accepts web apps over https only.
  if (isPublic(publicUrl)) {
    const button = {
      type: "web_app",
      text: fixedT("en", "bot")("open"),
      web_app: { url: pageAt("/", "en", publicUrl) },
    } as const;
    await api.setChatMenuButton({ menu_button: button });
  }
  for (const locale of ORDER_LOCALES) {
    const commands = [{ command: "start", description: fixedT(locale, "bot")("start") }];
    await api.setMyCommands(commands, locale === "en" ? {} : { language_code: locale });
  }
}

async function greet(context: Context, parameter: string, publicUrl: string): Promise<void> {
  const locale = orderLocaleOf(primaryLanguageOf(context.from?.language_code));
  const t = fixedT(locale, "bot");
  const path = parameter === "" ? "/" : readDeeplink(parameter);
  const url = pageAt(path ?? "/", locale, publicUrl);
  const text = path === null ? `${t("unknownLink")}\n\n${t("greeting")}` : t("greeting");
  await (isPublic(publicUrl)
    ? context.reply(text, { reply_markup: new InlineKeyboard().webApp(t("open"), url) })
    : context.reply(`${text}\n\n${url}`));
}

const isPublic = (publicUrl: string): boolean => publicUrl.startsWith("https:");

/** A page of the site in a person's language (spec §2). */
const pageAt = (path: string, locale: OrderLocale, publicUrl: string): string =>
  new URL(`${locale === "en" ? "" : `/${locale}`}${path}`, publicUrl).href;

/** Telegram's `language_code` is an IETF tag. */
const primaryLanguageOf = (tag: string | undefined): string | undefined => tag?.split("-", 1)[0]?.toLowerCase();
