/** The languages of spec §3; English has no prefix. */
export const LOCALES = ["en", "ru"] as const;
export type Locale = (typeof LOCALES)[number];

export const LOCALE_NAMES: Record<Locale, string> = { en: "English", ru: "Русский" };

/** The namespaces of the app; those of mails, push messages and the bot stay on the server. */
export const NAMESPACES = [
  "account",
  "api",
  "card",
  "common",
  "content",
  "earnings",
  "embed",
  "exchange",
  "home",
  "info",
  "install",
  "notifications",
  "order",
  "pair",
  "prices",
  "share",
  "telegram",
  "verification",
  "webhooks",
  "widget",
] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** The locale of a path and the path without its prefix. */
export function splitLocale(path: string): { locale: Locale; path: string } {
  if (path === "/ru") return { locale: "ru", path: "/" };
  if (path.startsWith("/ru/")) return { locale: "ru", path: path.slice(3) };
  return { locale: "en", path };
}

/** `/` → `/ru`, `/exchange-a-b` → `/ru/exchange-a-b`; unchanged for English. `path` is without prefix. */
export function localePath(locale: Locale, path: string): string {
  if (locale === "en") return path;
  return path === "/" ? `/${locale}` : `/${locale}${path}`;
}

/** The router's base for a locale. */
export const localeBase = (locale: Locale): string => (locale === "en" ? "" : `/${locale}`);
