import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { AppRoot } from "../../shared/ui/index.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";

/** Shows a dialog beside the page, in a root of its own: no page's first load may hold what Telegram alone asks. Gives its end. */
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
