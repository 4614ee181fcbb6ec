/// <reference types="vite/client" />
import type { BackendModule, ReadCallback, ResourceLanguage } from "i18next";

/**
 * A page contains the messages of its own render; the rest comes from here. The hash of the build's messages makes it
 * cacheable.
 */
const messagesUrl = (locale: string): string =>
  `/assets/messages/${import.meta.env.VITE_MESSAGES_HASH ?? "dev"}/${locale}/messages.json`;

/** The backend of one instance: it reads every namespace from the one file of the instance's language. */
export function createMessagesBackend(): BackendModule {
  let request: Promise<ResourceLanguage> | null = null;
  return {
    type: "backend",
    callbackApi: true,
    init: () => undefined,
    read: (locale, namespace, done) => {
      request ??= fetchMessages(locale).catch((error: unknown) => {
        request = null;
        throw error;
      });
      void answer(request, namespace, done);
    },
  };
}

async function answer(request: Promise<ResourceLanguage>, namespace: string, done: ReadCallback): Promise<void> {
  let messages: ResourceLanguage;
  try {
    messages = await request;
  } catch (error) {
    // `true` lets the next call read it again.
    done(error as Error, true);
    return;
  }
  done(null, messages[namespace]);
}

/** Spec §8 gives both texts of a failure. */
async function fetchMessages(locale: string): Promise<ResourceLanguage> {
  try {
    const response = await fetch(messagesUrl(locale));
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return (await response.json()) as ResourceLanguage;
  } catch (cause) {
    console.warn("Failed to load messages for locale", locale);
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Failed loading locale (${locale}): ${message}`, { cause });
  }
}
