import { readFileSync } from "node:fs";
import type { TFunction } from "i18next";
import { createI18n, type Messages } from "../../../src/shared/i18n/create-i18n.ts";
import { LOCALES, type Locale } from "#contract/locale.ts";
import { type Namespace } from "../../../src/shared/i18n/namespaces.ts";

export { LOCALES, type Locale };

const NAMESPACES = [
  "account",
  "card",
  "common",
  "content",
  "pair",
  "prices",
  "earnings",
  "home",
  "info",
  "share",
  "exchange",
  "order",
  "telegram",
  "notifications",
  "verification",
  "api",
  "webhooks",
  "widget",
] as const satisfies readonly Namespace[];

/** The texts that a reader of this language sees, by the app's own keys. */
export type Texts = { readonly [N in (typeof NAMESPACES)[number]]: TFunction<N> };

export function textsOf(locale: Locale): Texts {
  const messages = NAMESPACES.map((namespace) => [namespace, read(locale, namespace)] as const);
  const i18n = createI18n(locale, Object.fromEntries(messages));
  return {
    account: i18n.getFixedT(null, "account"),
    card: i18n.getFixedT(null, "card"),
    common: i18n.getFixedT(null, "common"),
    content: i18n.getFixedT(null, "content"),
    pair: i18n.getFixedT(null, "pair"),
    prices: i18n.getFixedT(null, "prices"),
    earnings: i18n.getFixedT(null, "earnings"),
    home: i18n.getFixedT(null, "home"),
    info: i18n.getFixedT(null, "info"),
    share: i18n.getFixedT(null, "share"),
    exchange: i18n.getFixedT(null, "exchange"),
    order: i18n.getFixedT(null, "order"),
    telegram: i18n.getFixedT(null, "telegram"),
    notifications: i18n.getFixedT(null, "notifications"),
    verification: i18n.getFixedT(null, "verification"),
    api: i18n.getFixedT(null, "api"),
    webhooks: i18n.getFixedT(null, "webhooks"),
    widget: i18n.getFixedT(null, "widget"),
  };
}

/** Every message of a language that is long enough to be unique, without those that have placeholders. */
export const sentencesOf = (locale: Locale): string[] =>
  NAMESPACES.flatMap((namespace) => allTexts(read(locale, namespace))).filter(
    (text) => text.length > 16 && !/[{"\\]/.test(text),
  );

const allTexts = (texts: unknown): string[] =>
  typeof texts === "string" ? [texts] : Object.values(texts as object).flatMap(allTexts);

const read = <N extends Namespace>(locale: Locale, namespace: N): Messages[N] =>
  JSON.parse(
    readFileSync(new URL(`../../../locales/${locale}/${namespace}.json`, import.meta.url), "utf8"),
  ) as Messages[N];
