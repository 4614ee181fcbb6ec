import type { WidgetSettings } from "./widget-settings.ts";
import { writeWidgetQuery } from "./widget-settings.ts";

export const SNIPPETS = ["html", "react", "wordpress"] as const;
export type SnippetKind = (typeof SNIPPETS)[number];

/** The code that shows the widget with these settings on another site; `origin` is this exchange. */
export function snippetOf(kind: SnippetKind, settings: Partial<WidgetSettings>, origin: string): string {
  const script = `<script src="${origin}/embed.js" async></script>`;
  const attributes = attributesOf(settings);
  const html = `${script}\n<wherry-widget${attributes}></wherry-widget>`;
  if (kind === "html") return html;
  // WordPress makes a block of it where it is pasted.
  if (kind === "wordpress") return `<!-- wp:html -->\n${html}\n<!-- /wp:html -->`;
  return [
    'import { useEffect } from "react";',
    "",
    "export function Exchange() {",
    "  useEffect(() => {",
    '    if (customElements.get("wherry-widget")) return;',
    '    const script = document.createElement("script");',
    `    script.src = "${origin}/embed.js";`,
    "    document.head.append(script);",
    "  }, []);",
    `  return <wherry-widget${attributes} />;`,
    "}",
  ].join("\n");
}

/** The query's names, but for `ref`, which React keeps for itself. */
const attributesOf = (settings: Partial<WidgetSettings>): string =>
  [...writeWidgetQuery(settings)]
    .map(([name, value]) => ` ${name === "ref" ? "data-ref" : name}="${escape(value)}"`)
    .join("");

const escape = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
