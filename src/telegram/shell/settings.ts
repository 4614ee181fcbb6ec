import { account } from "../../shared/account/account.ts";
import { browserApi } from "../../shared/http/http.ts";
import { type I18n, localeOf } from "../../shared/i18n/create-i18n.ts";
import { LOCALE_NAMES, LOCALES, splitLocale } from "../../shared/i18n/locale.ts";
import type { Popup } from "../popup.ts";
import type { TelegramClient } from "../telegram-client.ts";
import { keepLocale } from "../../app/layout/language-menu.tsx";
import { hrefIn } from "../../app/router/use-page-state.ts";
import { ask } from "./ask.tsx";
import { logOut } from "./log-out.ts";

const LOG_OUT = "log-out";

/** What the header holds on the web: the client's menu leads there. */
export const offerSettings = (telegram: TelegramClient, i18n: I18n): void =>
  telegram.onSettings(() => void openSettings(telegram, i18n));

async function openSettings(telegram: TelegramClient, i18n: I18n): Promise<void> {
  const chosen = await ask(settingsOf(i18n, account.data !== null), telegram, i18n);
  if (chosen === LOG_OUT) return logOut(telegram, browserApi);
  const locale = LOCALES.find((name) => name === chosen);
  if (locale === undefined) return;
  keepLocale(locale);
  const { path } = splitLocale(location.pathname);
  // The launch data is in the hash.
  location.assign(hrefIn(locale, path, location.search.slice(1)) + location.hash);
}

function settingsOf(i18n: I18n, isSignedIn: boolean): Popup {
  const t = i18n.getFixedT(null, "telegram");
  return {
    title: t("settings.title"),
    message: t(isSignedIn ? "settings.signedIn" : "settings.guest"),
    buttons: [
      ...LOCALES.filter((locale) => locale !== localeOf(i18n)).map((locale) => ({
        id: locale,
        type: "default" as const,
        text: LOCALE_NAMES[locale],
      })),
      ...(isSignedIn ? [{ id: LOG_OUT, type: "destructive" as const, text: t("settings.logOut") }] : []),
      { id: "cancel", type: "cancel" },
    ],
  };
}
