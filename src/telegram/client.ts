import {
  addToHomeScreen,
  backButton,
  checkHomeScreenStatus,
  closingBehavior,
  hapticFeedback,
  init,
  mainButton,
  miniApp,
  openLink,
  openTelegramLink,
  readTextFromClipboard,
  requestWriteAccess as writeAccessRequest,
  retrieveLaunchParams,
  retrieveRawInitData,
  secondaryButton,
  settingsButton,
  shareURL,
  supports,
  swipeBehavior,
  themeParams,
} from "@telegram-apps/sdk-react";
import type { Haptic } from "../shared/browser/haptics.ts";
import { attempt, attemptPost } from "./attempt.ts";
import { requestContact } from "./contact.ts";
import { openPopup } from "./open-popup.ts";
import { createScanner } from "./scanner.ts";
import type { TelegramClient } from "./telegram-client.ts";
import { requestWriteAccess } from "./write-access.ts";

const CLIPBOARD_TIMEOUT_MS = 2_000;
const HOME_SCREEN_TIMEOUT_MS = 3_000;

/** Starts the SDK and its components. Throws outside Telegram. */
export function createTelegramClient(): TelegramClient {
  const initData = retrieveRawInitData() ?? null;
  const { tgWebAppStartParam, tgWebAppData, tgWebAppVersion, tgWebAppPlatform } = retrieveLaunchParams();
  init();
  mountComponents();
  attempt(miniApp.ready);
  const isTelegramLinkSupported = supports("web_app_open_tg_link", tgWebAppVersion);
  // Clients give it only to apps opened from the attachment menu, whose launch data names a chat or a person
  // (https://core.telegram.org/bots/webapps, readTextFromClipboard).
  const isFromAttachmentMenu = tgWebAppData?.chat !== undefined || tgWebAppData?.receiver !== undefined;
  return {
    initData,
    startParameter: tgWebAppStartParam ?? tgWebAppData?.start_param ?? null,
    personName: [tgWebAppData?.user?.first_name, tgWebAppData?.user?.last_name].filter(Boolean).join(" ") || null,
    playHaptic,
    close: () => void attempt(miniApp.close),
    popUp: openPopup,
    scanQr: createScanner(tgWebAppVersion, tgWebAppPlatform),
    canReadClipboard: readTextFromClipboard.isAvailable() && isFromAttachmentMenu,
    readClipboard: async () =>
      (await orNull(() => readTextFromClipboard({ timeout: CLIPBOARD_TIMEOUT_MS })))?.trim() || null,
    openLink: (url) =>
      isTelegramLinkSupported && url.startsWith("https://t.me/")
        ? attempt(openTelegramLink, url)
        : attempt(openLink, url),
    shareLink: (url, text) => isTelegramLinkSupported && attempt(shareURL, url, text),
    async canAddToHomeScreen() {
      if (!checkHomeScreenStatus.isAvailable()) return false;
      const status = await orNull(() => checkHomeScreenStatus({ timeout: HOME_SCREEN_TIMEOUT_MS }));
      return status === "missed" || status === "unknown";
    },
    addToHomeScreen: () => void attempt(addToHomeScreen),
    writeAccess: writeAccessOf(tgWebAppData?.user?.allows_write_to_pm),
    requestWriteAccess,
    requestContact,
  };
}

function writeAccessOf(isAllowed = false): TelegramClient["writeAccess"] {
  if (isAllowed) return "allowed";
  return writeAccessRequest.isAvailable() ? "open" : "unsupported";
}

function mountComponents(): void {
  for (const { mount } of [backButton, closingBehavior, mainButton, secondaryButton, settingsButton, swipeBehavior])
    attempt(mount);
  attempt(themeParams.mountSync);
  attempt(miniApp.mountSync);
  // The client keeps its state over a load of the page, where the SDK starts from its defaults and posts no change to them.
  if (!backButton.isVisible()) attemptPost("web_app_setup_back_button", { is_visible: false });
  if (!closingBehavior.isConfirmationEnabled())
    attemptPost("web_app_setup_closing_behavior", { need_confirmation: false });
  // A reload brings back the theme of the launch, which may have changed since.
  attemptPost("web_app_request_theme");
}

const IMPACTS = { copy: "light", swap: "light" } as const;
const NOTIFICATIONS = { completed: "success", warning: "warning", failed: "error" } as const;

function playHaptic(haptic: Haptic): void {
  if (haptic === "copy" || haptic === "swap") attempt(hapticFeedback.impactOccurred, IMPACTS[haptic]);
  else attempt(hapticFeedback.notificationOccurred, NOTIFICATIONS[haptic]);
}

/** What a client answers; null where it refuses, fails or stays silent. */
async function orNull<Answer>(ask: () => PromiseLike<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    console.debug("the Telegram client does not answer", error);
    return null;
  }
}
