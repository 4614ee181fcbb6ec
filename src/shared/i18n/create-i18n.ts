import { createInstance, type CustomTypeOptions, type i18n as I18n } from "i18next";
import type {} from "react-i18next";
import { type Locale } from "#contract/locale.ts";
import { type Namespace, NAMESPACES } from "./namespaces.ts";
import { createMessagesBackend } from "./messages-backend.ts";

export type { I18n };

/** The messages of one locale, by namespace. */
export type Messages = Pick<CustomTypeOptions["resources"], Namespace>;

/** An i18next instance of one locale: one for each page load, and for each request on the server. */
export function createI18n(locale: Locale, messages: Partial<Messages>): I18n {
  const i18n = createInstance().use(createMessagesBackend());
  void i18n.init({
    lng: locale,
    fallbackLng: false,
    defaultNS: "common",
    // Nothing is asked of the backend yet, so the instance is ready when `init` returns.
    ns: [],
    initAsync: false,
    partialBundledLanguages: true,
    maxRetries: 0,
    // One that waited for a failed one would fetch their file again.
    maxParallelReads: NAMESPACES.length,
    // React escapes, and the head's renderer does.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
    saveMissing: true,
    missingKeyHandler: (_, namespace, key) => console.error(`no message for ${namespace}:${key} in ${locale}`),
    // A copy: what is added later belongs to this instance alone.
    resources: { [locale]: { ...messages } },
  });
  return i18n;
}

/** The one language that an instance was made for. */
export const localeOf = (i18n: I18n): Locale => i18n.language as Locale;

/** Adds messages beside those that their namespaces have. */
export function addMessages(i18n: I18n, messages: Readonly<Record<string, object>>): void {
  for (const [namespace, bundle] of Object.entries(messages))
    i18n.addResourceBundle(i18n.language, namespace, bundle, true, true);
}

/** The messages that the first render of a page used, and those that its route names. */
export function usedMessages(i18n: I18n, namespaces: readonly string[]): Partial<Messages> {
  const used = new Set(["common", ...namespaces, ...(i18n.reportNamespaces?.getUsedNamespaces() ?? [])]);
  return Object.fromEntries(
    [...used].map((namespace) => [namespace, i18n.getResourceBundle(i18n.language, namespace) as object]),
  );
}
