import type { ThemeParams } from "../palette.ts";

/** Telegram's own day palette, and its night palette on iOS. */
export const DAY = {
  bg_color: "#ffffff",
  text_color: "#000000",
  hint_color: "#707579",
  link_color: "#2481cc",
  button_color: "#2481cc",
  button_text_color: "#ffffff",
  secondary_bg_color: "#efeff4",
  section_bg_color: "#ffffff",
  section_separator_color: "#e3e3e4",
  subtitle_text_color: "#999999",
  accent_text_color: "#2481cc",
  destructive_text_color: "#e53935",
  bottom_bar_bg_color: "#f2f2f2",
} satisfies ThemeParams;
export const NIGHT = {
  bg_color: "#17212b",
  text_color: "#f5f5f5",
  hint_color: "#708499",
  link_color: "#6ab3f3",
  button_color: "#5288c1",
  button_text_color: "#ffffff",
  secondary_bg_color: "#232e3c",
  section_bg_color: "#17212b",
  subtitle_text_color: "#708499",
  accent_text_color: "#6ab2f2",
  destructive_text_color: "#ec3942",
  bottom_bar_bg_color: "#1d2a36",
} satisfies ThemeParams;
