import { type ComponentType, lazy, memo, Suspense, useState } from "react";
import { onFirstTouch } from "./first-touch.ts";
import { loadMessages, type Part } from "./i18n/messages.ts";
import { useWords } from "./i18n/index.ts";
import type { Translator } from "./i18n/translator.ts";

/** Before anything of a late part would change by itself. */
const AT_THE_LATEST_MS = 15_000;

export type LatePart = {
  /** What the server has rendered, until its code comes and takes over. */
  readonly Component: ComponentType;
  /** Loads the code and the words, for who has nothing rendered yet: the server, and a move inside the app. */
  readonly preload: (words: Translator) => Promise<unknown>;
};

/**
 * A part of a page that can be read and whose links work as it was rendered by the server: its code and words come with the
 * reader's first touch, after everything that the first paint needs. Its styles must come with the page itself.
 */
export function latePart(words: readonly Part[], load: () => Promise<ComponentType>): LatePart {
  let Loaded: ComponentType | null = null;
  const preload = async (translator: Translator): Promise<ComponentType> => {
    const [component, ...messages] = await Promise.all([
      load(),
      ...words.map((part) => loadMessages(translator.locale, part)),
    ]);
    for (const part of messages) translator.add(part);
    return (Loaded = component);
  };
  const Component = () => {
    const translator = useWords();
    // One and the same element for good: React gives up what the server has rendered once it is told to render it anew.
    const [element] = useState(() => {
      const Chosen = Loaded ?? lazy(async () => ({ default: await takeOver(() => preload(translator)) }));
      return (
        <Suspense>
          <Chosen />
        </Suspense>
      );
    });
    return element;
  };
  return { Component: memo(Component), preload };
}

/** Where the code can't be had, the part stays as the server has rendered it. */
async function takeOver(open: () => Promise<ComponentType>): Promise<ComponentType> {
  await firstTouch();
  try {
    return await open();
  } catch (error) {
    console.warn("a part of the page stays as it was rendered", error);
    return new Promise(() => undefined);
  }
}

const firstTouch = (): Promise<void> =>
  new Promise((begin) => {
    const timer = setTimeout(() => end(), AT_THE_LATEST_MS);
    const off = onFirstTouch(() => end());
    const end = () => {
      clearTimeout(timer);
      off();
      begin();
    };
  });
