import { shorten } from "../../../shared/format/format.ts";
import { VisuallyHidden } from "../../../shared/ui/index.ts";

type ShortHashProps = { readonly value: string; readonly link?: string | null };

/** An address or transaction id where there is no room: shortened for the eye, whole for a screen reader. */
export function ShortHash({ value, link = null }: ShortHashProps) {
  const text = (
    <>
      <VisuallyHidden>{value}</VisuallyHidden>
      <code aria-hidden="true" title={value} translate="no">
        {shorten(value)}
      </code>
    </>
  );
  return link === null ? (
    <span>{text}</span>
  ) : (
    <a href={link} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}
