import type common from "../../../locales/en/common.json";
import type exchangeSteps from "../../../locales/en/exchange-steps.json";
import type exchange from "../../../locales/en/exchange.json";
import type home from "../../../locales/en/home.json";
import type telegram from "../../../locales/en/telegram.json";
import type install from "../../../locales/en/install.json";
import type notices from "../../../locales/en/notices.json";
import type order from "../../../locales/en/order.json";
import type { Locale } from "./locale.ts";

/** A namespace is a file of `locales/{locale}/`; what of `exchange` is read after a first touch is a file of its own. */
export type Messages = {
  common: typeof common;
  exchange: typeof exchange & typeof exchangeSteps;
  home: typeof home;
  telegram: typeof telegram;
  install: typeof install;
  notices: typeof notices;
  order: typeof order;
};
export type Namespace = keyof Messages;

/** What is loaded at a time: the words that every page may need, and those of some pages with them. */
export type Part = "shared" | "steps" | "home" | "install" | "order" | "telegram" | "notices";
export type SomeMessages = { readonly [N in Namespace]?: Partial<Messages[N]> };
type Loader = () => Promise<{ messages: SomeMessages }>;

const loaders: Record<Locale, Record<Part, Loader>> = {
  en: {
    shared: () => import("./en.ts"),
    steps: () => import("./en-steps.ts"),
    home: () => import("./en-home.ts"),
    install: () => import("./en-install.ts"),
    order: () => import("./en-order.ts"),
    telegram: () => import("./en-telegram.ts"),
    notices: () => import("./en-notices.ts"),
  },
  ru: {
    shared: () => import("./ru.ts"),
    steps: () => import("./ru-steps.ts"),
    home: () => import("./ru-home.ts"),
    install: () => import("./ru-install.ts"),
    order: () => import("./ru-order.ts"),
    telegram: () => import("./ru-telegram.ts"),
    notices: () => import("./ru-notices.ts"),
  },
};

/** The module of a part, as the build's manifest knows it. */
export const messagesModule = (locale: Locale, part: Part): string =>
  `src/shared/i18n/${locale}${part === "shared" ? "" : `-${part}`}.ts`;

/** Loads words of one language, so that no page pays for two; a failure is told as spec §8 says. */
export async function loadMessages(locale: Locale, part: Part): Promise<SomeMessages> {
  try {
    return (await loaders[locale][part]()).messages;
  } catch (cause) {
    console.warn("Failed to load messages for locale", locale);
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Failed loading locale (${locale}): ${message}`, { cause });
  }
}
