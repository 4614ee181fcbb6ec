import { account } from "../../shared/account/account.ts";
import { resetAccount } from "../../shared/account/account-store.ts";
import { accessToken } from "../../shared/http/access-token.ts";
import { browserApi } from "../../shared/http/http.ts";
import { type Locale, LOCALE_NAMES, localePath, LOCALES, splitLocale } from "#contract/locale.ts";
import { type I18n, localeOf } from "../../shared/i18n/create-i18n.ts";
import type { Popup } from "../popup.ts";
import type { TelegramClient } from "../telegram-client.ts";
import { askPopup } from "./ask-popup.tsx";

const LOG_OUT = "log-out";

/** What the header holds on the web: the language, and logging out. */
export async function openSettings(
  client: Pick<TelegramClient, "popUp" | "close">,
  i18n: I18n,
  keepLocale: (locale: Locale) => void,
): Promise<void> {
  const chosen = await askPopup(settingsPopup(i18n, account.data !== null), client);
  if (chosen === LOG_OUT) return logOut(client);
  const locale = LOCALES.find((name) => name === chosen);
  if (locale === undefined) return;
  keepLocale(locale);
  const { path } = splitLocale(location.pathname);
  // The launch data is in the hash.
  location.assign(localePath(locale, path) + location.search + location.hash);
}

function settingsPopup(i18n: I18n, isSignedIn: boolean): Popup {
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

/** Ends the session, forgets the account and closes the app (spec §4); offline it ends on this device alone. */
async function logOut(client: Pick<TelegramClient, "close">): Promise<void> {
  try {
    if (accessToken() !== null) await browserApi.call("logOut");
  } catch (error) {
    console.warn("the session could not be ended on the server", error);
  }
  resetAccount();
  client.close();
}
