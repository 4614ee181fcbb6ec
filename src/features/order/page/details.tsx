import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { shorten } from "#contract/site/short-address.ts";
import { datePartsOf, formatTime } from "../../../shared/format/format-time.ts";
import { ownTimeZone, useClock } from "../../../shared/page/use-hydrated.ts";
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

type MomentProps = { readonly iso: string; readonly precision?: "minutes" | "time" };

/** A time on the reader's clock, whose zone is named on hover; not seen before that clock is known. */
export function Moment({ iso, precision = "minutes" }: MomentProps) {
  const { t } = useTranslation("order");
  const clock = useClock();
  const [zone, setZone] = useState<string>();
  return (
    <time
      dateTime={iso}
      title={zone}
      className="w-number"
      data-clock={clock}
      onPointerEnter={() => setZone(ownTimeZone())}
    >
      {precision === "time" ? formatTime(iso, clock) : t("moment", datePartsOf(iso, t("months"), clock))}
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
