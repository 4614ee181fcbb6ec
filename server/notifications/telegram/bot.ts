import { Bot, InlineKeyboard, type BotConfig, type Context } from "grammy";
import { readDeeplink } from "#contract/links/deeplink.ts";
import { DEFAULT_LOCALE, type Locale, localeBase, localeOfTag, LOCALES } from "#contract/locale.ts";
import { fixedT } from "../../base/i18n.ts";

export type BotParts = { token: string; publicUrl: string; options: BotConfig<Context> };

/** The bot that opens the mini-app: by `/start`, with a deeplink's argument at the page that it names, and by its menu button. */
export function createBot({ token, publicUrl, options }: BotParts): Bot {
  const bot = new Bot(token, options);
  bot.chatType("private").command("start", (context) => greet(context, context.match, publicUrl));
  // By the app's own question (src/telegram/write-access.ts).
  bot.chatType("private").on("message:write_access_allowed", (context) => {
    const locale = localeOf(context);
    return reply(context, fixedT(locale, "bot")("allowed"), pageAt("/", locale, publicUrl));
  });
  bot.chatType("private").on("message", (context) => greet(context, "", publicUrl));
  return bot;
}

/** Sets what Telegram shows beside the bot's chat: the menu button and the list of commands, in each language. */
export async function configureBot({ api }: Bot, publicUrl: string): Promise<void> {
  // Telegram accepts web apps over https only.
  if (isPublic(publicUrl)) {
    const button = {
      type: "web_app",
      text: fixedT(DEFAULT_LOCALE, "bot")("open"),
      web_app: { url: pageAt("/", DEFAULT_LOCALE, publicUrl) },
    } as const;
    await api.setChatMenuButton({ menu_button: button });
  }
  for (const locale of LOCALES) {
    const commands = [{ command: "start", description: fixedT(locale, "bot")("start") }];
    await api.setMyCommands(commands, locale === DEFAULT_LOCALE ? {} : { language_code: locale });
  }
}

async function greet(context: Context, parameter: string, publicUrl: string): Promise<void> {
  const locale = localeOf(context);
  const t = fixedT(locale, "bot");
  const path = parameter === "" ? "/" : readDeeplink(parameter);
  const text = path === null ? `${t("unknownLink")}\n\n${t("greeting")}` : t("greeting");
  await reply(context, text, pageAt(path ?? "/", locale, publicUrl));
}

/** With a button that opens a page of the app. */
async function reply(context: Context, text: string, url: string): Promise<void> {
  const open = fixedT(localeOf(context), "bot")("open");
  await (isPublic(url)
    ? context.reply(text, { reply_markup: new InlineKeyboard().webApp(open, url) })
    : context.reply(`${text}\n\n${url}`));
}

const localeOf = ({ from }: Context): Locale => localeOfTag(from?.language_code);

const isPublic = (url: string): boolean => url.startsWith("https:");

/** A page of the site in a person's language (spec §2). */
const pageAt = (path: string, locale: Locale, publicUrl: string): string =>
  new URL(localeBase(locale) + path, publicUrl).href;
