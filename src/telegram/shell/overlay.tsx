import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { WordsContext } from "../../shared/i18n/index.ts";
import { AppRoot } from "../../shared/ui/index.ts";
import type { Translator } from "../../shared/i18n/translator.ts";

/** Shows a dialog beside the page, in a root of its own: no page's first load may hold what Telegram alone asks. Gives its end. */
export function overlay(words: Translator, content: ReactNode): () => void {
  const host = document.body.appendChild(document.createElement("div"));
  const root = createRoot(host);
  root.render(
    <WordsContext value={words}>
      <AppRoot>{content}</AppRoot>
    </WordsContext>,
  );
  return () => {
    root.unmount();
    host.remove();
  };
}
