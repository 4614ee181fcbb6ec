import type { I18n } from "../shared/i18n/create-i18n.ts";
import { launch } from "../telegram/shell/launch.tsx";
import { followRequestedPage } from "./account/requested-page.ts";
import { deeplinkTarget } from "./guards/start-parameter.ts";
import { keepLocale } from "./layout/language-menu.tsx";
import { parentPage } from "./router/parent-page.ts";

/** Starts the mini-app with what it has to know of the app's pages. */
export function launchTelegram(i18n: I18n): Promise<void> {
  followRequestedPage();
  return launch(i18n, { deeplinkTarget, keepLocale, parentPage });
}
