import { type ReactNode, StrictMode } from "react";
import { followTheme, setAppearanceOverride, type Theme } from "../../shared/browser/theme.ts";
import { browserApi } from "../../shared/http/http.ts";
import { createI18n } from "../../shared/i18n/create-i18n.ts";
import { EmbedApp } from "./embed-app.tsx";
import type { EmbedData } from "./embed-data.ts";
import { createParent } from "./parent-messages.ts";

type Hydrate = (root: HTMLElement, app: ReactNode) => void;

/** Brings the frame's page to life; nothing where the server only said that it is busy. */
export function startEmbed(hydrate: Hydrate): void {
  const [root, text] = ["root", "page-data"].map((id) => document.getElementById(id));
  if (!root || !text) return;
  const { messages, ...data } = JSON.parse(text.textContent ?? "") as EmbedData;
  const { lang, theme, parentOrigin } = data.widget;
  followParameter(theme);
  const parent = createParent(parentOrigin, window);
  hydrate(
    root,
    <StrictMode>
      <EmbedApp i18n={createI18n(lang, messages)} data={data} api={browserApi} parent={parent} />
    </StrictMode>,
  );
}

/** Its parameter's theme, or the system's: not the one that this person chose on the site. */
function followParameter(theme: Theme): void {
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () =>
    setAppearanceOverride(theme === "dark" || (theme === "system" && prefersDark.matches) ? "dark" : "light");
  prefersDark.addEventListener("change", apply);
  apply();
  followTheme();
}
