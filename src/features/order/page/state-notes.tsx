import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { Note, Skeleton, Button } from "../../../shared/ui/index.ts";
import { coinText, exactCoinText } from "../model/amount-text.ts";
import { smallestSum } from "../model/top-up.ts";
import type { Block } from "../model/view/blocks.ts";
import type { OrderView } from "../model/view/order-view.ts";
import { depositedTotal } from "../model/view/deposits.ts";
import { formatAge } from "../../../shared/format/format-time.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { Moment } from "./details.tsx";
import { mustWriteToSupport, SupportSentence } from "./support-sentence.tsx";
import { WithReference } from "./with-reference.tsx";
import { useServerNow } from "./use-server-now.ts";

type NotesProps = { readonly order: Order; readonly view: OrderView };

/** What a reader must know of the state that an order is in, one note at a time. */
export function StateNotes({ order, view }: NotesProps) {
  const has = (block: Block): boolean => view.blocks.includes(block);
  return (
    <>
      {has("too_small") ? <TooSmall order={order} /> : null}
      {has("floating") ? <Floating order={order} /> : null}
      {has("rate_ended") ? <RateEnded /> : null}
      {has("expired") ? <Expired order={order} /> : null}
      {has("preparing") ? <Preparing /> : null}
      {has("other_amount") ? <OtherAmount order={order} /> : null}
    </>
  );
}

/** What a floating order pays, and until when it waits for its deposit. */
function Floating({ order: { unpaidUntil } }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const [before, after] = t("floating.until", { time: "\n" }).split("\n");
  return (
    <div className="w-order-note">
      <Note tone="info" title={t("floating.title")}>
        {t("floating.text")}
        {unpaidUntil === null ? null : (
          <>
            {` ${before}`}
            <Moment iso={unpaidUntil} />
            {after}
          </>
        )}
      </Note>
    </div>
  );
}

function RateEnded() {
  const { t } = useTranslation("order");
  return (
    <div className="w-order-note">
      <Note tone="signal" title={t("rate_ended.title")}>
        {t("rate_ended.text")}
      </Note>
    </div>
  );
}

/** A deposit that starts nothing: the order still waits for its own. */
function TooSmall({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { attention, pair } = order;
  if (attention === null) return null;
  const received = coinText(attention.received, pair.instrumentFrom);
  return (
    <Note tone="signal" title={t("attention.tooSmall.title", { received })}>
      {t("attention.tooSmall.text", {
        least: exactCoinText(
          smallestSum(attention.countsFrom ?? attention.expected, pair.instrumentFrom.precisionDecimals),
          pair.instrumentFrom,
        ),
      })}
    </Note>
  );
}

/** The order is over: what not to do any more, and what becomes of coins that are on their way. */
function Expired({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  return (
    <Note tone="signal" title={t("expired.title")}>
      {t("expired.text")} <LateText order={order} />
    </Note>
  );
}

/** What becomes of coins that come late, or have; where they are held, the note of that says it. */
function LateText({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { reference, refundAddress, deposits, review } = order;
  const hasArrived = deposits.length > 0;
  if (mustWriteToSupport(order)) {
    // The note about held coins asks for it.
    if (review?.needed === "OPERATOR") return null;
    return (
      <SupportSentence
        text={hasArrived ? "expired.arrivedUnreachable" : "expired.lateUnreachable"}
        reference={reference}
      />
    );
  }
  if (refundAddress === null)
    return (
      <WithReference
        text={t(hasArrived ? "expired.arrivedNoAddress" : "expired.lateNoAddress", { reference })}
        reference={reference}
      />
    );
  if (!hasArrived) return t("expired.late");
  return review === null ? t("expired.arrived") : null;
}

function Preparing() {
  const { t } = useTranslation("order");
  return (
    <div className="w-order-card" aria-busy="true">
      <h2 className="w-order-ring__title">{t("preparing.title")}</h2>
      <p className="w-order-ring__text">{t("preparing.text")}</p>
      <Skeleton width="60%" height={36} />
      <Skeleton width="100%" height={52} />
    </div>
  );
}

function OtherAmount({ order }: Pick<NotesProps, "order">) {
  const { t } = useTranslation("order");
  const { instrumentFrom } = order.pair;
  const arrived = coinText(depositedTotal(order), instrumentFrom);
  const claimed = coinText(order.claimedDepositAmount, instrumentFrom);
  return (
    <Note tone="signal" title={t("other_amount.title", { arrived, claimed })}>
      {t(order.rateMode === "FIXED" ? "other_amount.fixed" : "other_amount.floating", { claimed })}
    </Note>
  );
}

type StaleNoteProps = { readonly seenAt: string; readonly offset: number; readonly onRetry: () => Promise<unknown> };

/** Says how old the shown order is while the service can't be asked; nothing of it is hidden. */
export function StaleNote({ seenAt, offset, onRetry }: StaleNoteProps) {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const isOnline = useOnline();
  const now = useServerNow(offset, true);
  const age = formatAge(common, (now - Date.parse(seenAt)) / 1000);
  return (
    <Note
      tone="info"
      title={t(isOnline ? "stale.failed" : "stale.offline")}
      action={
        isOnline ? (
          <Button variant="soft" onClick={() => void onRetry()}>
            {t("stale.retry")}
          </Button>
        ) : undefined
      }
    >
      {t(isOnline ? "stale.failedText" : "stale.offlineText", { age })}
    </Note>
  );
}
