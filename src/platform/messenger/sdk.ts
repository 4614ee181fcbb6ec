import {
  closeMiniApp,
  hideBackButton,
  init,
  miniAppReady,
  mountBackButton,
  mountMiniAppSync,
  offBackButtonClick,
  onBackButtonClick,
  retrieveLaunchParams,
  retrieveRawInitData,
  setMiniAppBackgroundColor,
  setMiniAppBottomBarColor,
  setMiniAppHeaderColor,
  showBackButton,
  themeParamsState,
} from "@telegram-apps/sdk-react";
import { paletteOf } from "./palette.ts";
import type { Messenger } from "./port.ts";

/** Telegram's clients, over their SDK. Throws outside of them. */
export function openTelegram(): Messenger {
  const initData = retrieveRawInitData() ?? null;
  const { tgWebAppStartParam, tgWebAppData } = retrieveLaunchParams();
  init();
  // It mounts the theme too.
  mountMiniAppSync.ifAvailable();
  mountBackButton.ifAvailable();
  miniAppReady.ifAvailable();
  let back: (() => void) | null = null;

  return {
    initData,
    startParameter: tgWebAppStartParam ?? tgWebAppData?.start_param ?? null,
    setBack(handler) {
      if (back !== null) offBackButtonClick.ifAvailable(back);
      back = handler;
      if (handler === null) return void hideBackButton.ifAvailable();
      onBackButtonClick.ifAvailable(handler);
      showBackButton.ifAvailable();
    },
    onPalette(follow) {
      const tell = () => follow(paletteOf(themeParamsState()));
      themeParamsState.sub(tell);
      tell();
    },
    setBars({ header, background, bottom }) {
      setMiniAppHeaderColor.ifAvailable(header);
      setMiniAppBackgroundColor.ifAvailable(background);
      setMiniAppBottomBarColor.ifAvailable(bottom);
    },
    close: () => void closeMiniApp.ifAvailable(),
  };
}
