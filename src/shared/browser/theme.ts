import { proxy, subscribe, useSnapshot } from "valtio";
import { useHydrated } from "../page/use-hydrated.ts";
import { persisted } from "./storage.ts";

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];
export type Appearance = Exclude<Theme, "system">;

const BAR_COLOURS: Record<Appearance, string> = { light: "#FFFFFF", dark: "#121E2B" };

/** The user's choice, saved under `theme` (spec §1). */
const choice = persisted<Theme>(
  "theme",
  (saved) => THEMES.find((theme) => theme === saved) ?? "system",
  (theme) => theme,
);
const device = proxy({ preference: "light" as Appearance, override: null as Appearance | null });

/** Follows the system's theme and the user's choice; the head script sets the theme before the first paint. */
export function followTheme(): void {
  const darkPreference = matchMedia("(prefers-color-scheme: dark)");
  const readPreference = () => {
    device.preference = darkPreference.matches ? "dark" : "light";
  };
  darkPreference.addEventListener("change", readPreference);
  readPreference();
  for (const state of [choice, device]) subscribe(state, applyTheme, true);
  applyTheme();
}

/** Sets and saves the user's choice. */
export function setTheme(theme: Theme): void {
  choice.value = theme;
}

/** Shows an appearance whatever the user and the system chose: inside Telegram, its own. */
export function setAppearanceOverride(appearance: Appearance): void {
  device.override = appearance;
}

const appearanceOf = (theme: Theme, { preference, override }: Readonly<typeof device>): Appearance =>
  override ?? (theme === "system" ? preference : theme);

function applyTheme(): void {
  const appearance = appearanceOf(choice.value, device);
  document.documentElement.dataset["theme"] = appearance;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BAR_COLOURS[appearance]);
}

/** The chosen theme; `system` on the server and in the first render. */
export function useTheme(): Theme {
  const { value } = useSnapshot(choice);
  return useHydrated() ? value : "system";
}

/** The appearance, light or dark; light on the server and in the first render. */
export function useAppearance(): Appearance {
  const appearance = appearanceOf(useSnapshot(choice).value, useSnapshot(device));
  return useHydrated() ? appearance : "light";
}
