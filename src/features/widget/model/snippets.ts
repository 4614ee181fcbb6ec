import { escapeMarkup } from "#contract/site/escape-markup.ts";
import type { WidgetSettings } from "./widget-settings.ts";
import { writeWidgetQuery } from "./widget-settings.ts";

export const SNIPPETS = ["html", "react", "wordpress"] as const;
export type SnippetKind = (typeof SNIPPETS)[number];

/** The code that shows the widget with these settings on another site; `origin` is this exchange. */
export function snippetOf(kind: SnippetKind, settings: Partial<WidgetSettings>, origin: string): string {
  const script = `<script src="${origin}/embed.js" async></script>`;
  const attributes = attributesOf(settings);
  const written = attributes.map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`).join("");
  const html = `${script}\n<wherry-widget${written}></wherry-widget>`;
  if (kind === "html") return html;
  // WordPress makes a block of it where it is pasted.
  if (kind === "wordpress") return `<!-- wp:html -->\n${html}\n<!-- /wp:html -->`;
  return [
    'import { createElement, useEffect } from "react";',
    "",
    "export function Exchange() {",
    "  useEffect(() => {",
    '    if (customElements.get("wherry-widget")) return;',
    '    const script = document.createElement("script");',
    `    script.src = "${origin}/embed.js";`,
    "    document.head.append(script);",
    "  }, []);",
    // No JSX: TypeScript knows none of its elements.
    `  return createElement("wherry-widget", {`,
    ...attributes.map(
      ([name, value]) =>
        `    ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${escapeScript(JSON.stringify(value))},`,
    ),
    "  });",
    "}",
  ].join("\n");
}

/** The query's names, but for `ref`, which React keeps for itself. */
const attributesOf = (settings: Partial<WidgetSettings>): [name: string, value: string][] =>
  [...writeWidgetQuery(settings)].map(([name, value]) => [name === "ref" ? "data-ref" : name, value]);

/** Also where the code is pasted into a page. */
const escapeScript = (text: string): string => text.replace(/</g, "\\u003c");
