import { type ComponentType, use } from "react";
import { useWords } from "../i18n/index.ts";
import { loadMessages, type Part } from "../i18n/messages.ts";
import type { Translator } from "../i18n/translator.ts";

export type Preload = {
  /** The file of its code, from the top of the repository: a rendered page names it, so that the browser asks for it at once. */
  readonly module: string;
  /** The words that come with it. */
  readonly words: readonly Part[];
  readonly preload: (words: Translator) => Promise<void>;
  /** Brings it early, which may fail: it is asked for again when it is needed. */
  readonly warm: (words: Translator) => void;
};

export type Preloadable<Props extends object = object> = Preload & {
  /** Renders at once when it was preloaded; else it suspends until its code and words are there. */
  readonly Component: ComponentType<Props>;
};

/** A part of a page whose code and words come by themselves; preloaded, it is rendered on the server and hydrated like any other. */
export function preloadable<Props extends object = object>(
  module: string,
  load: () => Promise<ComponentType<Props>>,
  words: readonly Part[] = [],
): Preloadable<Props> {
  let Loaded: ComponentType<Props> | null = null;
  const coming = new WeakMap<Translator, Promise<void>>();

  const bring = async (translator: Translator): Promise<void> => {
    const [component, ...messages] = await Promise.all([
      load(),
      ...words.map((part) => loadMessages(translator.locale, part)),
    ]);
    for (const part of messages) translator.add(part);
    Loaded = component;
  };
  const preload = (translator: Translator): Promise<void> => {
    const known = coming.get(translator);
    if (known !== undefined) return known;
    const promise = bring(translator);
    coming.set(translator, promise);
    promise.then(
      // Read by React's use(), which would wait a moment for any other promise, and a server's render can't.
      () => Object.assign(promise, { status: "fulfilled", value: undefined }),
      // What could not be had is asked for anew the next time.
      () => coming.delete(translator),
    );
    return promise;
  };
  const warm = (translator: Translator): void => {
    preload(translator).catch((error: unknown) => console.debug("a part of the page is still to come", error));
  };
  const Component = (props: Props) => {
    use(preload(useWords()));
    if (Loaded === null) throw new Error(`${module} came without its component`);
    return <Loaded {...props} />;
  };
  return { module, words, Component, preload, warm };
}
