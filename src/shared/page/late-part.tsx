import { type ComponentType, type ReactNode, use, useEffect, useRef, useState } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { Router, useRouter } from "wouter";
import { onFirstTouch } from "./first-touch.ts";
import { loadMessages, type Part } from "../i18n/messages.ts";
import { useWords, WordsContext } from "../i18n/index.ts";
import type { Translator } from "../i18n/translator.ts";
import { PageContext } from "./page.ts";

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
    const [Ready] = useState(() => Loaded);
    return Ready === null ? (
      <Island open={preload} />
    ) : (
      <div>
        <Ready />
      </div>
    );
  };
  return { Component, preload };
}

/**
 * Keeps the server's HTML, which React leaves alone, and makes a root of its own of it once it is touched: a Suspense boundary
 * would be thrown away by the first change of any context above it.
 */
function Island({ open }: { readonly open: (words: Translator) => Promise<ComponentType> }) {
  const host = useRef<HTMLDivElement>(null);
  const words = useWords();
  const page = use(PageContext);
  const { base, hook, searchHook, hrefs } = useRouter();
  const [within] = useState(() => (part: ReactNode) => (
    <WordsContext value={words}>
      <PageContext value={page}>
        <Router base={base} hook={hook} searchHook={searchHook} hrefs={hrefs}>
          {part}
        </Router>
      </PageContext>
    </WordsContext>
  ));
  useEffect(() => {
    const left = new AbortController();
    let root: Root | null = null;
    const takeOver = async () => {
      await firstTouch(left.signal);
      if (left.signal.aborted) return;
      const Part = await open(words);
      if (host.current !== null && !left.signal.aborted) root = hydrateRoot(host.current, within(<Part />));
    };
    // Where the code can't be had, the part stays as the server has rendered it.
    takeOver().catch((error: unknown) => console.warn("a part of the page stays as it was rendered", error));
    return () => {
      left.abort();
      // Not while the page around it is being rendered.
      queueMicrotask(() => root?.unmount());
    };
  }, [open, words, within]);
  return <div ref={host} dangerouslySetInnerHTML={SERVER_HTML} suppressHydrationWarning />;
}

const SERVER_HTML = { __html: "" };

const firstTouch = (left: AbortSignal): Promise<void> =>
  new Promise((begin) => {
    const timer = setTimeout(() => end(), AT_THE_LATEST_MS);
    const off = onFirstTouch(() => end());
    const end = () => {
      clearTimeout(timer);
      off();
      begin();
    };
    left.addEventListener("abort", end);
  });
