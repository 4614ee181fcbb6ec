import { type ComponentType, lazy, useState } from "react";
import { useWords } from "../i18n/index.ts";
import { loadMessages, type Part } from "../i18n/messages.ts";
import type { Translator } from "../i18n/translator.ts";

export type Preloadable = {
  /** Source path of the component's module, as the build's manifest knows it: a rendered page preloads its chunk. */
  readonly module: string;
  /** The texts that come with it. */
  readonly words: readonly Part[];
  /** Loads code and texts; afterwards the component renders without suspending. */
  readonly preload: (words: Translator) => Promise<void>;
  /** Preloads ahead of need. A failure is only logged: rendering tries again. */
  readonly prefetch: (words: Translator) => void;
};

export type LazyComponent<Props extends object = object> = Preloadable & {
  /** Suspends until its code and texts are there, unless they were preloaded. */
  readonly Component: ComponentType<Props>;
};

/** `React.lazy` with a preload of the code and its texts, so that the server renders it and a navigation shows it at once. */
export function lazyWithPreload<Props extends object = object>(
  module: string,
  load: () => Promise<ComponentType<Props>>,
  words: readonly Part[] = [],
): LazyComponent<Props> {
  // By translator, because each request and each test has its own texts.
  const loaded = new WeakMap<Translator, ComponentType<Props>>();
  const lazies = new WeakMap<Translator, ComponentType<Props>>();

  const loadAll = async (translator: Translator): Promise<ComponentType<Props>> => {
    const [component, ...messages] = await Promise.all([
      load(),
      ...words.map((part) => loadMessages(translator.locale, part)),
    ]);
    for (const part of messages) translator.add(part);
    loaded.set(translator, component);
    return component;
  };
  const preload = async (translator: Translator): Promise<void> => {
    if (!loaded.has(translator)) await loadAll(translator);
  };
  const prefetch = (translator: Translator): void => {
    preload(translator).catch((error: unknown) => console.debug(`${module} can't be loaded yet`, error));
  };
  const lazyFor = (translator: Translator): ComponentType<Props> => {
    const known = lazies.get(translator);
    if (known !== undefined) return known;
    const created = lazy(async () => {
      try {
        return { default: await loadAll(translator) };
      } catch (error) {
        // The next mount tries again.
        lazies.delete(translator);
        throw error;
      }
    });
    lazies.set(translator, created);
    return created;
  };
  const Component = (props: Props) => {
    const translator = useWords();
    const [Loaded] = useState(() => loaded.get(translator) ?? lazyFor(translator));
    return <Loaded {...props} />;
  };
  return { module, words, preload, prefetch, Component };
}
