import type { TFunction } from "i18next";
import type { Locale } from "./locale.ts";
import type { Namespace, SomeMessages } from "./messages.ts";

type Words = { readonly [key: string]: string | Words };
type Options = Readonly<Record<string, unknown>> & { readonly ns?: string; readonly count?: number };

/** One language's words, in i18next's message format: `{{name}}` is filled in, `_one`, `_few`, `_many`, `_other` go by `count`. */
export type Translator = {
  readonly locale: Locale;
  /** The words of one namespace, with i18next's typed keys; its runtime (16 KB) would be a seventh of what a first visit may load. */
  readonly of: <N extends Namespace>(namespace: N) => TFunction<N>;
  /** Adds words that came later, beside those that their namespaces have. */
  readonly add: (messages: SomeMessages | { readonly [namespace: string]: Words }) => void;
  /** One text as it is written, holes open; null where there are no such words. */
  readonly optional: (namespace: string, key: string) => string | null;
};

export function createTranslator(locale: Locale, messages: SomeMessages): Translator {
  const words: Partial<Record<string, Words>> = { ...messages };
  // Made with the first count: its rules take a phone long.
  let plurals: Intl.PluralRules | null = null;
  const formFor = (count: number) => (plurals ??= new Intl.PluralRules(locale)).select(count);
  const known = new Map<string, unknown>();

  const find = (namespace: string, key: string): string | undefined => {
    const found = key
      .split(".")
      .reduce<string | Words | undefined>(
        (at, part) => (typeof at === "object" ? at[part] : undefined),
        words[namespace],
      );
    return typeof found === "string" ? found : undefined;
  };

  const translate = (namespace: string, key: string, options: Options = {}): string => {
    const { ns = namespace, count } = options;
    const plural = count === undefined ? undefined : find(ns, `${key}_${formFor(count)}`);
    const text = plural ?? find(ns, key);
    if (text === undefined) {
      console.error(`no words for ${ns}:${key} in ${locale}`);
      return key;
    }
    return fill(text, options);
  };

  const of = <N extends Namespace>(namespace: N): TFunction<N> => {
    if (!known.has(namespace))
      known.set(namespace, (key: string, options?: Options) => translate(namespace, key, options));
    return known.get(namespace) as TFunction<N>;
  };

  return {
    locale,
    of,
    add(more) {
      for (const [namespace, added] of Object.entries(more)) words[namespace] = { ...words[namespace], ...added };
    },
    optional: (namespace, key) => find(namespace, key) ?? null,
  };
}

/** Puts values into `{{name}}`; holes without a value stay. */
export const fill = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (hole, name: string) => (name in values ? String(values[name]) : hole));
