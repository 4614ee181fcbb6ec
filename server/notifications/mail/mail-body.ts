import { escapeMarkup } from "#contract/site/escape-markup.ts";
import type { Locale } from "#contract/locale.ts";
import type { MessageText } from "../message-text.ts";

/** A message as plain text and as HTML with the same texts. */
export const bodiesOf = (locale: Locale, content: MessageText, footer: string): { text: string; html: string } => ({
  text: [...content.paragraphs, ...content.links.map(({ label, href }) => `${label}:\n${href}`), `-- \n${footer}`]
    .map((part) => `${part}\n`)
    .join("\n"),
  html: htmlOf(locale, content, footer),
});

function htmlOf(locale: Locale, { subject, paragraphs, links }: MessageText, footer: string): string {
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${escapeMarkup(subject)}</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:0 auto;padding:1em;overflow-wrap:anywhere">
${paragraphs.map((text) => `<p>${escapeMarkup(text)}</p>`).join("\n")}
${links.map(({ href, label }) => `<p><a href="${escapeMarkup(href)}">${escapeMarkup(label)}</a></p>`).join("\n")}
<p style="font-size:14px">${escapeMarkup(footer)}</p>
</body>
</html>
`;
}
