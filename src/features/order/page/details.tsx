import type { ReactNode } from "react";
import { formatDateTime, type DateParts } from "../../../shared/format/format-time.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { shorten } from "../../../shared/format/format.ts";
import { VisuallyHidden } from "../../../shared/ui/index.ts";
import "./details.css";

type RowProps = { readonly label: string; readonly detail?: ReactNode; readonly children: ReactNode };

/** One figure with its name; a caption may say how it is meant. */
export const Row = ({ label, detail, children }: RowProps) => (
  <div className="w-order-rows__row">
    <dt>{label}</dt>
    <dd>
      {children}
      {detail === undefined ? null : <span className="w-order-rows__detail">{detail}</span>}
    </dd>
  </div>
);

type MomentProps = { readonly iso: string; readonly precision?: NonNullable<DateParts["precision"]> };

/** A time in the reader's zone, which is named on hover; UTC in the first render. */
export function Moment({ iso, precision = "minutes" }: MomentProps) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={iso} title={timeZone} className="w-number">
      {formatDateTime(iso, useLocale(), { timeZone, precision })}
    </time>
  );
}

type ShortHashProps = { readonly value: string; readonly link?: string | null };

/** An address or transaction id where there is no room: shortened for the eye, whole for a screen reader. */
export function ShortHash({ value, link = null }: ShortHashProps) {
  const text = (
    <>
      <VisuallyHidden>{value}</VisuallyHidden>
      <code className="w-order-hash" aria-hidden="true" title={value} translate="no">
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
