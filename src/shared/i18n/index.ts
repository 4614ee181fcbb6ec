import type { TFunction } from "i18next";
import { createContext, use } from "react";
import type { Locale } from "./locale.ts";
import type { Namespace } from "./messages.ts";
import type { Translator } from "./translator.ts";

export type { Namespace } from "./messages.ts";

export const WordsContext = createContext<Translator | null>(null);

/** The words of the page: one translator for each request and for each page load. */
export function useWords(): Translator {
  const words = use(WordsContext);
  if (words === null) throw new Error("words are asked for outside WordsContext");
  return words;
}

/** The words of one namespace, which is a file of `locales/{locale}/`. */
export const useT = <N extends Namespace>(namespace: N): TFunction<N> => useWords().of(namespace);

export const useLocale = (): Locale => useWords().locale;
