import { useSyncExternalStore } from "react";
import { localStore } from "./storage.ts";

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];
export type Appearance = Exclude<Theme, "system">;

const KEY = "theme";
const BAR_COLOURS: Record<Appearance, string> = { light: "#FFFFFF", dark: "#121E2B" };
const listeners = new Set<() => void>();
const darkPreference = () => matchMedia("(prefers-color-scheme: dark)");

/** The user's choice, saved under `theme` (spec §1). */
export function readTheme(): Theme {
  const saved = localStore.get(KEY);
  return THEMES.find((theme) => theme === saved) ?? "system";
}

export function setTheme(theme: Theme): void {
  localStore.set(KEY, theme);
  change();
}

function change(): void {
  applyTheme();
  for (const listener of listeners) listener();
}

let appearanceOverride: Appearance | null = null;

/** Shows an appearance whatever the user and the system chose: inside Telegram, its own. */
export function setAppearanceOverride(appearance: Appearance): void {
  appearanceOverride = appearance;
  change();
}

const appearanceOf = (theme: Theme): Appearance =>
  appearanceOverride ?? (theme === "system" ? (darkPreference().matches ? "dark" : "light") : theme);

function applyTheme(): void {
  const appearance = appearanceOf(readTheme());
  document.documentElement.dataset["theme"] = appearance;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BAR_COLOURS[appearance]);
}

/** Follows changes of the system's theme and of the choice in other tabs; the head script sets the theme before the first paint. */
export function followTheme(): void {
  darkPreference().addEventListener("change", change);
  addEventListener("storage", (event) => {
    if (event.key === KEY) change();
  });
  applyTheme();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The chosen theme; `system` on the server and in the first render. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme, () => "system");

/** The appearance, light or dark; light on the server and in the first render. */
export const useAppearance = (): Appearance =>
  useSyncExternalStore(
    subscribe,
    () => appearanceOf(readTheme()),
    () => "light",
  );
