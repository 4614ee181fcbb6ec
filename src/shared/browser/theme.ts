import { proxy, subscribe, useSnapshot } from "valtio";
import { useHydrated } from "../page/use-hydrated.ts";
import { persisted } from "./storage.ts";

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];
export type Appearance = Exclude<Theme, "system">;

/** Values of our custom properties, by their names. */
export type Tokens = Readonly<Record<`--${string}`, string>>;
type Override = { readonly appearance: Appearance; readonly tokens: Tokens };

const BAR_COLOURS: Record<Appearance, string> = { light: "#FFFFFF", dark: "#121E2B" };

/** The user's choice, saved under `theme` (spec §1). */
const choice = persisted<Theme>(
  "theme",
  (saved) => THEMES.find((theme) => theme === saved) ?? "system",
  (theme) => theme,
);
const device = proxy({ preference: "light" as Appearance, override: null as Override | null });
/** How often the page's colours were set. */
const applied = proxy({ count: 0 });

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

/** Shows an appearance whatever the user and the system chose: inside Telegram, its own with its palette. */
export function setAppearanceOverride(appearance: Appearance, tokens: Tokens = {}): void {
  device.override = { appearance, tokens };
}

const appearanceOf = (theme: Theme, { preference, override }: Readonly<typeof device>): Appearance =>
  override?.appearance ?? (theme === "system" ? preference : theme);

function applyTheme(): void {
  const appearance = appearanceOf(choice.value, device);
  const { dataset, style } = document.documentElement;
  dataset["theme"] = appearance;
  for (const [name, value] of Object.entries(device.override?.tokens ?? {})) style.setProperty(name, value);
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BAR_COLOURS[appearance]);
  applied.count += 1;
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

/** Another number each time that the page's colours have been set: for a canvas, which can't inherit them. */
export const useColourChanges = (): number => useSnapshot(applied).count;
