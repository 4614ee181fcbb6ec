import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { Note } from "../../../shared/ui/index.ts";
import { Moment } from "./details.tsx";

/** Why an order is held, what it waits for and until when; nothing for one that goes on by itself. */
export function ReviewNote({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  if (order.review === null) return null;
  const { reason, needed, until } = order.review;
  const ticker = order.pair.instrumentFrom.currencyTitle;
  return (
    <div className="w-order-review">
      <Note tone={needed === "TOP_UP" ? "signal" : "info"} title={t(`review.${reason}.title`)}>
        {t(`review.${reason}.text`, { ticker })} {t(`review.needed.${needed}`)}
        {until === null ? null : <Until iso={until} label={needed === "TIME" ? "review.after" : "review.until"} />}
      </Note>
    </div>
  );
}

type UntilProps = { readonly iso: string; readonly label: "review.after" | "review.until" };

function Until({ iso, label }: UntilProps) {
  const { t } = useTranslation("order");
  const [before, after] = t(label, { time: "\n" }).split("\n");
  return (
    <>
      {` ${before}`}
      <Moment iso={iso} />
      {after}
    </>
  );
}
