import { UNKNOWN_TRANSACTION } from "#contract/unknown-transaction.ts";

/** The page of a transaction or address on a block explorer; null where there is none, or the template is no web address. */
export function explorerLink(template: string | null, value: string): string | null {
  if (template === null || value.startsWith(UNKNOWN_TRANSACTION)) return null;
  const link = template.replace(/\{\w*\}/, encodeURIComponent(value));
  return link !== template && /^https?:\/\//.test(link) ? link : null;
}
