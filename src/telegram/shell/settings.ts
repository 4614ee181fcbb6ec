import { account } from "../../shared/account/account.ts";
import { browserApi } from "../../shared/http/http.ts";
import type { Translator } from "../../shared/i18n/translator.ts";
import { LOCALE_NAMES, LOCALES, splitLocale } from "../../shared/i18n/locale.ts";
import type { Popup } from "../popup.ts";
import type { TelegramClient } from "../telegram-client.ts";
import { keepLocale } from "../../app/layout/language-menu.tsx";
import { hrefIn } from "../../app/router/use-page-state.ts";
import { ask } from "./ask.tsx";
import { logOut } from "./log-out.ts";

const LOG_OUT = "log-out";

/** What the header holds on the web: the client's menu leads there. */
export const offerSettings = (telegram: TelegramClient, words: Translator): void =>
  telegram.onSettings(() => void openSettings(telegram, words));

async function openSettings(telegram: TelegramClient, words: Translator): Promise<void> {
  const chosen = await ask(settingsOf(words, account.data !== null), telegram, words);
  if (chosen === LOG_OUT) return logOut(telegram, browserApi);
  const locale = LOCALES.find((name) => name === chosen);
  if (locale === undefined) return;
  keepLocale(locale);
  const { path } = splitLocale(location.pathname);
  // The launch data is in the hash.
  location.assign(hrefIn(locale, path, location.search.slice(1)) + location.hash);
}

function settingsOf(words: Translator, isSignedIn: boolean): Popup {
  const t = words.of("telegram");
  return {
    title: t("settings.title"),
    message: t(isSignedIn ? "settings.signedIn" : "settings.guest"),
    buttons: [
      ...LOCALES.filter((locale) => locale !== words.locale).map((locale) => ({
        id: locale,
        type: "default" as const,
        text: LOCALE_NAMES[locale],
      })),
      ...(isSignedIn ? [{ id: LOG_OUT, type: "destructive" as const, text: t("settings.logOut") }] : []),
      { id: "cancel", type: "cancel" },
    ],
  };
}
