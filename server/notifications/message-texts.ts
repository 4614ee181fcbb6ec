import type { OrderLocale } from "#contract/order.ts";
import enMail from "../../locales/en/mail.json" with { type: "json" };
import enPush from "../../locales/en/push.json" with { type: "json" };
import ruMail from "../../locales/ru/mail.json" with { type: "json" };
import ruPush from "../../locales/ru/push.json" with { type: "json" };

type Texts = { readonly [key: string]: string | Texts };
type Values = Readonly<Record<string, string | number>>;

/** Texts, filled in: `t("subject.created", { from })`; `count` chooses the plural. */
export type Say = (key: string, values?: Values) => string;

const books = {
  /** Mail, and the messages of the bot. */
  mail: { en: enMail, ru: ruMail },
  push: { en: enPush, ru: ruPush },
} as const satisfies Record<string, Record<OrderLocale, Texts>>;

/** Throws for a key without words: what has holes is not sent. */
export function textsOf(locale: OrderLocale, book: keyof typeof books = "mail"): Say {
  const all: Texts = books[book][locale];
  const plurals = new Intl.PluralRules(locale);
  return (key, values = {}) => {
    const { count } = values;
    const plural = typeof count === "number" ? `${key}_${plurals.select(count)}` : key;
    const words = find(all, plural) ?? find(all, key);
    if (words === null) throw new Error(`no words for ${book}:${key} in ${locale}`);
    return words.replace(/\{\{(\w+)\}\}/g, (_hole, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${book}:${key} in ${locale} asks for ${name}`);
      return String(value);
    });
  };
}

function find(words: Texts, key: string): string | null {
  const found = key
    .split(".")
    .reduce<string | Texts | undefined>((at, part) => (typeof at === "object" ? at[part] : undefined), words);
  return typeof found === "string" ? found : null;
}
