/// <reference types="vite/client" />
import { addMessages, type I18n, localeOf, type Messages } from "./create-i18n.ts";
import type { Locale, Namespace } from "./locale.ts";

/**
 * A page contains the messages of its own render; the rest comes from here. The hash of the build's messages makes it
 * cacheable.
 */
const messagesUrl = (locale: Locale): string =>
  `/assets/messages/${import.meta.env.VITE_MESSAGES_HASH ?? "dev"}/${locale}/messages.json`;

const requests = new Map<Locale, Promise<Partial<Messages>>>();

/** Adds all messages of the instance's locale, unless it has these namespaces already. Spec §8 gives both texts of a failure. */
export async function loadMessages(i18n: I18n, namespaces: readonly Namespace[]): Promise<void> {
  const locale = localeOf(i18n);
  if (namespaces.every((namespace) => i18n.hasResourceBundle(locale, namespace))) return;
  const request = requests.get(locale) ?? fetchMessages(locale);
  requests.set(locale, request);
  try {
    addMessages(i18n, await request);
  } catch (cause) {
    // The next call tries again.
    requests.delete(locale);
    console.warn("Failed to load messages for locale", locale);
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Failed loading locale (${locale}): ${message}`, { cause });
  }
}

async function fetchMessages(locale: Locale): Promise<Partial<Messages>> {
  const response = await fetch(messagesUrl(locale));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as Partial<Messages>;
}
