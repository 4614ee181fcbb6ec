import { subscribe } from "valtio";
import { provideHaptics } from "../shared/browser/haptics.ts";
import { closingConfirmation } from "./closing-confirmation.ts";
import { browserApi } from "../shared/http/http.ts";
import { loadMessages } from "../shared/i18n/messages.ts";
import { addMessages, type I18n, localeOf } from "../shared/i18n/create-i18n.ts";
import { loadTelegramClient } from "./load-client.ts";
import type { Palette } from "./palette.ts";
import type { TelegramClient } from "./telegram-client.ts";
import { wearShellAppearance } from "../shared/browser/theme.ts";
import { deeplinkTarget } from "../app/guards/start-parameter.ts";
import { enter } from "./shell/enter.tsx";
import { followBack } from "./shell/follow-back.ts";
import { followButtons } from "./shell/follow-buttons.ts";
import { followLinks } from "./shell/follow-links.ts";
import { followSwipes } from "./shell/follow-swipes.ts";
import { followViewport } from "./shell/follow-viewport.ts";
import { isFollowed, keepFollowed, keepLaunchHash } from "./launch-hash.ts";
import { offerSettings } from "./shell/settings.ts";

/** Makes the app at home in Telegram: its theme, its Back, who launched it and where to. Does nothing elsewhere. */
export async function launch(i18n: I18n): Promise<void> {
  const telegram = await loadTelegramClient();
  if (telegram === null || isElsewhere(telegram, i18n)) return;
  keepLaunchHash();
  telegram.onPalette((palette) => wear(palette, telegram));
  followViewport(telegram);
  followBack(telegram);
  followButtons(telegram);
  followSwipes(telegram);
  provideHaptics(telegram.playHaptic);
  subscribe(closingConfirmation, () => telegram.confirmClosing(closingConfirmation.isOn));
  telegram.confirmClosing(closingConfirmation.isOn);
  followLinks(telegram);
  addMessages(i18n, await loadMessages(localeOf(i18n), "telegram"));
  offerSettings(telegram, i18n);
  if (telegram.initData !== null) await enter(telegram.initData, browserApi, i18n);
}

/**
 * Goes where the launch data's own parameter names, once in a session: it comes back with every reload. A parameter in the
 * query was followed by the first guard already. True while the page is being left.
 */
function isElsewhere({ startParameter }: TelegramClient, i18n: I18n): boolean {
  if (startParameter === null || isFollowed(startParameter)) return false;
  const hash = keepFollowed(startParameter);
  const target = deeplinkTarget(startParameter, localeOf(i18n));
  if (target === location.pathname + location.search) return false;
  location.replace(target + hash);
  return true;
}

function wear({ appearance, tokens, bars }: Palette, telegram: TelegramClient): void {
  wearShellAppearance(appearance);
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries(tokens)) style.setProperty(name, value);
  telegram.setBars(bars);
}
