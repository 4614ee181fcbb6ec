import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { AppRoot } from "../../shared/ui/index.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";

/** Renders a dialog in a React root of its own, so that no page's first load contains what only Telegram shows. Returns what removes it. */
export function overlay(i18n: I18n, content: ReactNode): () => void {
  const host = document.body.appendChild(document.createElement("div"));
  const root = createRoot(host);
  root.render(
    <I18nextProvider i18n={i18n}>
      <AppRoot>{content}</AppRoot>
    </I18nextProvider>,
  );
  return () => {
    root.unmount();
    host.remove();
  };
}
