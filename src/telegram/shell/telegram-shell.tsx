import {
  backButton,
  closingBehavior,
  mainButton,
  miniApp,
  on,
  requestContentSafeAreaInsets,
  requestSafeAreaInsets,
  requestViewport,
  secondaryButton,
  settingsButton,
  swipeBehavior,
  themeParams,
  useSignal,
  viewport,
} from "@telegram-apps/sdk-react";
import { useEffect, useEffectEvent } from "react";
import { useSnapshot } from "valtio";
import { navigate, usePathname, useSearch } from "wouter/use-browser-location";
import { setAppearanceOverride } from "../../shared/browser/theme.ts";
import {
  type ActionSlot,
  closeTopDialog,
  openDialogs,
  pressAction,
  type ScreenAction,
  setNativeButton,
  useOpenDialogs,
  useScreenActions,
} from "../../shared/ui/controls/screen-actions.ts";
import { attempt } from "../attempt.ts";
import { closingConfirmation } from "../closing-confirmation.ts";
import { paletteOf } from "../palette.ts";
import type { TelegramClient } from "../telegram-client.ts";
import { backStep } from "./back-step.ts";
import "./telegram.css";

type TelegramShellProps = {
  readonly client: Pick<TelegramClient, "openLink">;
  /** The page that a page belongs to, both with language and query; null for a page with tabs. */
  readonly parentPage: (path: string, search: string) => string | null;
  /** How many pages of the app lie before the current one in the history. */
  readonly historyDepth: () => number;
  readonly onSettings: () => void;
};

/** Keeps what Telegram shows around the page (its buttons, colours and insets) as the page is. */
export function TelegramShell({ client, parentPage, historyDepth, onSettings }: TelegramShellProps) {
  useTheme();
  useViewport();
  useNativeButtons();
  useBackButton(parentPage, historyDepth);
  useSwipes();
  useClosing();
  useSettingsButton(onSettings);
  useOutgoingLinks(client);
  return null;
}

function useTheme(): void {
  const params = useSignal(themeParams.state);
  useEffect(() => {
    const { appearance, tokens, bars } = paletteOf(params);
    setAppearanceOverride(appearance, tokens);
    // Before 6.9 the header takes no colour of the page, and keeps the client's own.
    if (miniApp.setHeaderColor.supports.rgb()) attempt(miniApp.setHeaderColor, bars.header);
    attempt(miniApp.setBackgroundColor, bars.background);
    attempt(miniApp.setBottomBarColor, bars.bottom);
  }, [params]);
}

type Insets = { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };
const EDGES = ["top", "right", "bottom", "left"] as const;

/**
 * Gives the page's styles the visible height and the covered edges. `viewport.mount` would follow changes only after
 * the client has answered three requests, and some clients never answer one of them: so each is followed by itself.
 */
function useViewport(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const insets: Record<"device" | "client", Partial<Insets> | null> = { device: null, client: null };
    const apply = () => {
      for (const edge of EDGES)
        style.setProperty(`--inset-${edge}`, `${pixels(insets.device?.[edge]) + pixels(insets.client?.[edge])}px`);
    };
    const stop = [
      on("viewport_changed", ({ height, is_state_stable }) => {
        if (is_state_stable && pixels(height) > 0) style.setProperty("--shell-height", `${height}px`);
      }),
      on("safe_area_changed", (covered) => {
        insets.device = covered;
        apply();
      }),
      on("content_safe_area_changed", (covered) => {
        insets.client = covered;
        apply();
      }),
    ];
    attempt(viewport.expand);
    requestViewport().catch(ignoreSilence);
    for (const request of [requestSafeAreaInsets, requestContentSafeAreaInsets])
      if (request.isAvailable()) request().catch(ignoreSilence);
    return () => {
      for (const off of stop) off();
    };
  }, []);
}

const ignoreSilence = (error: unknown): void => console.debug("the Telegram client reports no viewport", error);

/** The SDK passes on what clients send, numbers or not. */
const pixels = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);

/** Telegram's main and secondary buttons stand in for the page's, which stay where the client has none. */
function useNativeButtons(): void {
  const { main, secondary } = useScreenActions();
  useNativeButton("main", main);
  useNativeButton("secondary", secondary);
  useEffect(() => {
    // For the styles of the bars that the buttons leave.
    document.documentElement.dataset["nativeButtons"] = [main && "main", secondary && "secondary"]
      .filter(Boolean)
      .join(" ");
  }, [main, secondary]);
}

const NATIVE_BUTTONS = { main: mainButton, secondary: secondaryButton };

function useNativeButton(slot: ActionSlot, action: ScreenAction | null): void {
  const text = action?.text ?? "";
  const isEnabled = action?.isEnabled ?? false;
  const isBusy = action?.isBusy ?? false;
  const theme = useSignal(themeParams.state);
  useEffect(() => {
    const params = { text, isEnabled, isLoaderVisible: isBusy, isVisible: true };
    // Clients don't grey a button that is not active, and the SDK forgets no colour that it was once given.
    const colours = slot === "main" ? paletteOf(theme).button[isEnabled || isBusy ? "active" : "inactive"] : {};
    // Some clients crash at an empty text.
    if (text === "") setNativeButton(slot, setParams(slot, { isVisible: false }));
    else setNativeButton(slot, setParams(slot, { ...params, ...colours }));
  }, [slot, text, isEnabled, isBusy, theme]);
  useEffect(() => {
    const { onClick } = NATIVE_BUTTONS[slot];
    return onClick.isAvailable() ? onClick(() => pressAction(slot)) : undefined;
  }, [slot]);
}

const setParams = (slot: ActionSlot, params: Parameters<typeof mainButton.setParams>[0]): boolean =>
  slot === "main"
    ? attempt(mainButton.setParams, params)
    : // Above the main one: on the page it stands below.
      attempt(secondaryButton.setParams, { ...params, position: "bottom" });

function useBackButton(parentPage: TelegramShellProps["parentPage"], historyDepth: () => number): void {
  const path = usePathname();
  const search = useSearch();
  const dialogs = useOpenDialogs();
  const isShown = backStep({ dialogs, parent: parentPage(path, search), depth: 0 }) !== null;
  useEffect(() => {
    attempt(isShown ? backButton.show : backButton.hide);
  }, [isShown]);
  const goBack = useEffectEvent(() => {
    const parent = parentPage(location.pathname, location.search);
    const step = backStep({ dialogs: openDialogs(), parent, depth: historyDepth() });
    if (step?.to === "dialog") closeTopDialog();
    else if (step?.to === "history") history.back();
    else if (step?.to === "parent") navigate(step.path, { replace: true });
  });
  useEffect(() => {
    const { onClick } = backButton;
    return onClick.isAvailable() ? onClick(() => goBack()) : undefined;
  }, []);
}

/** A swipe down scrolls a sheet, and closes the app elsewhere. */
function useSwipes(): void {
  const hasDialogs = useOpenDialogs() > 0;
  useEffect(() => {
    attempt(hasDialogs ? swipeBehavior.disableVertical : swipeBehavior.enableVertical);
  }, [hasDialogs]);
}

function useClosing(): void {
  const { isOn } = useSnapshot(closingConfirmation);
  useEffect(() => {
    attempt(isOn ? closingBehavior.enableConfirmation : closingBehavior.disableConfirmation);
  }, [isOn]);
}

/** The entry "Settings" of the client's menu (6.10). */
function useSettingsButton(onSettings: () => void): void {
  const open = useEffectEvent(() => onSettings());
  useEffect(() => {
    const { onClick } = settingsButton;
    if (!onClick.isAvailable()) return undefined;
    attempt(settingsButton.show);
    return onClick(() => open());
  }, []);
}

/** Links out of the app are opened by the client: a web view would leave the app, or show nothing. */
function useOutgoingLinks({ openLink }: Pick<TelegramClient, "openLink">): void {
  useEffect(() => {
    const click = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0 || !(event.target instanceof Element)) return;
      const link = event.target.closest<HTMLAnchorElement>("a[href]");
      if (link !== null && leadsOut(link.href) && openLink(link.href)) event.preventDefault();
    };
    document.addEventListener("click", click);
    return () => document.removeEventListener("click", click);
  }, [openLink]);
}

function leadsOut(href: string): boolean {
  const { origin, protocol } = new URL(href);
  return /^https?:$/.test(protocol) && origin !== location.origin;
}
