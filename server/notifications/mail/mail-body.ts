import type { OrderLocale } from "#contract/order.ts";
import type { MessageText } from "../message-text.ts";

/** A message as plain text and as HTML with the same texts. */
export const bodiesOf = (
  locale: OrderLocale,
  content: MessageText,
  footer: string,
): { text: string; html: string } => ({
  text: [...content.paragraphs, ...content.links.map(({ label, href }) => `${label}:\n${href}`), `-- \n${footer}`]
    .map((part) => `${part}\n`)
    .join("\n"),
  html: htmlOf(locale, content, footer),
});

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text: string): string => text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);

function htmlOf(locale: OrderLocale, { subject, paragraphs, links }: MessageText, footer: string): string {
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:0 auto;padding:1em;overflow-wrap:anywhere">
${paragraphs.map((text) => `<p>${escape(text)}</p>`).join("\n")}
${links.map(({ href, label }) => `<p><a href="${escape(href)}">${escape(label)}</a></p>`).join("\n")}
<p style="font-size:14px">${escape(footer)}</p>
</body>
</html>
`;
}
