import { browserApi } from "../../shared/http/http.ts";
import { loadMessages } from "../../shared/i18n/messages.ts";
import type { Translator } from "../../shared/i18n/translator.ts";
import { isClosingConfirmed } from "../../shared/browser/closing.ts";
import { adoptMessenger } from "../sdk/current.ts";
import { openMessenger } from "../sdk/open.ts";
import type { Palette } from "../sdk/palette.ts";
import type { Messenger } from "../sdk/port.ts";
import { wearShellAppearance } from "../../shared/browser/theme.ts";
import { deeplinkTarget } from "../../app/guards/start-parameter.ts";
import { enter } from "./enter.tsx";
import { followBack } from "./follow-back.ts";
import { followButtons } from "./follow-buttons.ts";
import { followLinks } from "./follow-links.ts";
import { followSwipes } from "./follow-swipes.ts";
import { followViewport } from "./follow-viewport.ts";
import { isFollowed, keepFollowed, keepLaunchHash } from "./launch-hash.ts";
import { keepPhoneLayout } from "./phone-layout.ts";
import { offerSettings } from "./settings.ts";

/** Makes the app at home in the messenger: its theme, its Back, who launched it and where to. Does nothing elsewhere. */
export async function launch(words: Translator): Promise<void> {
  const messenger = await openMessenger();
  if (messenger === null || isElsewhere(messenger, words)) return;
  keepLaunchHash();
  keepPhoneLayout();
  messenger.onPalette((palette) => wear(palette, messenger));
  followViewport(messenger);
  followBack(messenger);
  followButtons(messenger);
  followSwipes(messenger);
  adoptMessenger(messenger);
  messenger.confirmClosing(isClosingConfirmed());
  followLinks(messenger);
  words.add(await loadMessages(words.locale, "messenger"));
  offerSettings(messenger, words);
  if (messenger.initData !== null) await enter(messenger.initData, browserApi, words);
}

/**
 * Goes where the launch data's own parameter names, once in a session: it comes back with every reload. A parameter in the
 * query was followed by the first guard already. True while the page is being left.
 */
function isElsewhere({ startParameter }: Messenger, { locale }: Translator): boolean {
  if (startParameter === null || isFollowed(startParameter)) return false;
  const hash = keepFollowed(startParameter);
  const target = deeplinkTarget(startParameter, locale);
  if (target === location.pathname + location.search) return false;
  location.replace(target + hash);
  return true;
}

function wear({ appearance, tokens, bars }: Palette, messenger: Messenger): void {
  wearShellAppearance(appearance);
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries(tokens)) style.setProperty(name, value);
  messenger.setBars(bars);
}
