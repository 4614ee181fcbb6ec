import type { OrderLocale } from "#contract/order.ts";
import en from "../../locales/en/mail.json" with { type: "json" };
import ru from "../../locales/ru/mail.json" with { type: "json" };

type Words = { readonly [key: string]: string | Words };
type Values = Readonly<Record<string, string | number>>;

/** Words of mail, filled in: `say("subject.created", { give })`; `count` chooses the plural. */
export type Say = (key: string, values?: Values) => string;

const all: Record<OrderLocale, Words> = { en, ru };

/** Throws for a key without words: mail with holes is not sent. */
export function wordsOf(locale: OrderLocale): Say {
  const plurals = new Intl.PluralRules(locale);
  return (key, values = {}) => {
    const { count } = values;
    const plural = typeof count === "number" ? `${key}_${plurals.select(count)}` : key;
    const words = find(all[locale], plural) ?? find(all[locale], key);
    if (words === null) throw new Error(`no words for mail:${key} in ${locale}`);
    return words.replace(/\{\{(\w+)\}\}/g, (_hole, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`mail:${key} in ${locale} asks for ${name}`);
      return String(value);
    });
  };
}

function find(words: Words, key: string): string | null {
  const found = key
    .split(".")
    .reduce<string | Words | undefined>((at, part) => (typeof at === "object" ? at[part] : undefined), words);
  return typeof found === "string" ? found : null;
}
