import { provideHaptics } from "../../shared/browser/haptics.ts";
import { browserApi } from "../../shared/http/http.ts";
import type { Locale } from "#contract/locale.ts";
import { loadMessages } from "../../shared/i18n/messages.ts";
import { type I18n, localeOf } from "../../shared/i18n/create-i18n.ts";
import { addOverlay } from "../../shared/page/overlays.tsx";
import { loadTelegramClient } from "../load-client.ts";
import type { TelegramClient } from "../telegram-client.ts";
import { countHistoryDepth } from "./history-depth.ts";
import { isFollowed, keepFollowed, keepLaunchHash } from "./launch-hash.ts";
import { openSettings } from "./settings.ts";
import { startSignIn } from "./sign-in.tsx";
import { TelegramShell } from "./telegram-shell.tsx";

/** What the mini-app asks of the app around it. */
export type AppPages = {
  /** The page that a start parameter names, in a language. */
  readonly deeplinkTarget: (parameter: string, locale: Locale) => string;
  /** Remembers the chosen language. */
  readonly keepLocale: (locale: Locale) => void;
  /** The page that a page belongs to; null for one with tabs. */
  readonly parentPage: (path: string, search: string) => string | null;
};

/** Connects the page to the Telegram client: colours, buttons, links, settings and sign-in. Does nothing elsewhere. */
export async function launch(i18n: I18n, pages: AppPages): Promise<void> {
  const client = await loadTelegramClient();
  if (client === null || followDeeplink(client, i18n, pages)) return;
  keepLaunchHash();
  provideHaptics(client.playHaptic);
  const historyDepth = countHistoryDepth();
  const messages = loadMessages(i18n, ["telegram"]);
  const onSettings = async () => {
    await messages;
    await openSettings(client, i18n, pages.keepLocale);
  };
  addOverlay(
    <TelegramShell
      client={client}
      parentPage={pages.parentPage}
      historyDepth={historyDepth}
      onSettings={() => void onSettings()}
    />,
  );
  await messages;
  if (client.initData !== null) await startSignIn(client.initData, browserApi);
}

/**
 * Goes to the page that the launch data's start parameter names, once a session: the parameter comes back with every
 * reload. One in the query is followed by the first guard. True while the page is being left.
 */
function followDeeplink({ startParameter }: TelegramClient, i18n: I18n, pages: AppPages): boolean {
  if (startParameter === null || isFollowed(startParameter)) return false;
  const hash = keepFollowed(startParameter);
  const target = pages.deeplinkTarget(startParameter, localeOf(i18n));
  if (target === location.pathname + location.search) return false;
  location.replace(target + hash);
  return true;
}
