import { formatDateTime, type DateParts } from "../../../shared/format/format-time.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useTimeZone } from "../../../shared/page/use-hydrated.ts";

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
