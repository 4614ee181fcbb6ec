import { createInstance, type i18n as I18n } from "i18next";
import type { Locale } from "./locale.ts";
import type { SomeMessages } from "./messages.ts";

export type { I18n };

/** An i18next instance of one language: one for each page load, and for each request on the server. */
export function createI18n(locale: Locale, messages: SomeMessages): I18n {
  const i18n = createInstance();
  void i18n.init({
    lng: locale,
    fallbackLng: false,
    defaultNS: "common",
    // Without a backend the instance is ready when `init` returns.
    initAsync: false,
    // React and `escape` of the head do it.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
    saveMissing: true,
    missingKeyHandler: (_, namespace, key) => console.error(`no message for ${namespace}:${key} in ${locale}`),
    resources: {},
  });
  addMessages(i18n, messages);
  return i18n;
}

export const localeOf = (i18n: I18n): Locale => i18n.language as Locale;

/** Adds messages beside those that their namespaces have. */
export function addMessages(i18n: I18n, messages: SomeMessages | Readonly<Record<string, object>>): void {
  for (const [namespace, bundle] of Object.entries(messages))
    i18n.addResourceBundle(i18n.language, namespace, bundle, true, true);
}
