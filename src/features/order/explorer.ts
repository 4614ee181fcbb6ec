/** The page of a transaction or address on a block explorer; null without a template, or with one that is no web address. */
export function explorerLink(template: string | null, value: string): string | null {
  if (template === null) return null;
  const link = template.replace(/\{\w*\}/, encodeURIComponent(value));
  return link !== template && /^https?:\/\//.test(link) ? link : null;
}
