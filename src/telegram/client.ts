import {
  init,
  type MethodName,
  mountThemeParamsSync,
  on,
  postEvent,
  retrieveLaunchParams,
  retrieveRawInitData,
  supports,
  themeParamsState,
} from "@telegram-apps/sdk-react";
import { barsOf } from "./sdk/bars.ts";
import { buttonsOf } from "./sdk/buttons.ts";
import type { Client } from "./sdk/client.ts";
import { closingOf } from "./sdk/closing.ts";
import { hapticsOf } from "./sdk/haptics.ts";
import { paletteOf } from "./palette.ts";
import type { TelegramClient } from "./telegram-client.ts";
import { talkOf } from "./sdk/talk.ts";
import { viewportOf } from "./sdk/viewport.ts";

/** Telegram's clients, over their SDK. Throws outside of them. */
export function createTelegramClient(): TelegramClient {
  const initData = retrieveRawInitData() ?? null;
  const { tgWebAppStartParam, tgWebAppData, tgWebAppVersion, tgWebAppPlatform } = retrieveLaunchParams();
  init();
  mountThemeParamsSync.ifAvailable();
  const client = clientOf(tgWebAppVersion);
  client.tell("web_app_ready");

  return {
    initData,
    startParameter: tgWebAppStartParam ?? tgWebAppData?.start_param ?? null,
    showBack: (isShown) => void client.tell("web_app_setup_back_button", { is_visible: isShown }),
    onBack: (goBack) => client.on("back_button_pressed", goBack),
    ...buttonsOf(client),
    ...closingOf(client),
    ...hapticsOf(client),
    ...viewportOf(client),
    ...barsOf(client),
    ...talkOf(client, { version: tgWebAppVersion, platform: tgWebAppPlatform, place: tgWebAppData }),
    onPalette(follow) {
      const tell = () => follow(paletteOf(themeParamsState()));
      themeParamsState.sub(tell);
      tell();
      // A reload brings the launch's theme, which may have changed since.
      client.tell("web_app_request_theme");
    },
  };
}

/** Its overloads can't be chosen among by a variable. */
const post: (method: MethodName, params: unknown) => void = postEvent;

/**
 * The SDK's own buttons and bars remember what they have posted and post nothing twice, but the client keeps its state over a
 * whole load while they forget: so what is told here goes out as it is.
 */
function clientOf(version: string): Client {
  const can: Client["can"] = (method, parameter) =>
    parameter === undefined ? supports(method, version) : supports("web_app_set_header_color", parameter, version);
  return {
    can,
    tell(method, params) {
      if (!can(method)) return false;
      try {
        post(method, params);
        return true;
      } catch (error) {
        console.warn(`the Telegram client did not take ${method}`, error);
        return false;
      }
    },
    on: (event, listener) => void on(event, listener),
  };
}
