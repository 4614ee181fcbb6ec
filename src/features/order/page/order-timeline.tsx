import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { formatAbout, formatDateTime, formatDuration } from "../../../shared/format/format-time.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { Timeline, type TimelineItem } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import { Moment, ShortHash } from "./details.tsx";
import { explorerLink } from "../../../address/explorer-link.ts";
import { secondsToConfirm } from "../model/view/order-times.ts";
import { isUnconfirmed } from "../model/view/deposits.ts";
import type { OrderView } from "../model/view/order-view.ts";
import type { Screen } from "../model/view/screen.ts";
import type { TimelineRow } from "../model/view/timeline.ts";

const OVER: ReadonlySet<Screen> = new Set(["completed", "refunded", "expired"]);

type OrderTimelineProps = {
  readonly order: Order;
  readonly view: OrderView;
  /** When the order was last seen, while the service can't be asked. */
  readonly lastSeenAt: string | null;
};

/** The order's story: what happened with its times, what happens now, what comes. */
export function OrderTimeline({ order, view, lastSeenAt }: OrderTimelineProps) {
  const { t } = useTranslation("order");
  const describe = useRowWords(order);
  const isOver = OVER.has(view.screen);
  return (
    <section className="w-order-card" aria-labelledby="order-story">
      <h2 id="order-story" className="w-order-story__title">
        {t(isOver ? "timeline.titleDone" : "timeline.title")}
      </h2>
      {lastSeenAt === null ? null : <LastSeen iso={lastSeenAt} />}
      <Timeline items={view.timeline.map((row) => ({ state: row.state, time: timeOf(row), ...describe(row) }))} />
    </section>
  );
}

function LastSeen({ iso }: { readonly iso: string }) {
  const { t } = useTranslation("order");
  const timeZone = useTimeZone();
  const time = formatDateTime(iso, useLocale(), { timeZone, precision: "time" });
  return (
    <p className="w-order-story__seen w-number" title={timeZone}>
      {t("timeline.lastSeen", { time })}
    </p>
  );
}

const timeOf = (row: TimelineRow): ReactNode =>
  row.at === null || row.kind === "expired" ? undefined : <Moment iso={row.at} precision="time" />;

type Texts = Pick<TimelineItem, "title" | "detail" | "time">;

function useRowWords(order: Order): (row: TimelineRow) => Texts {
  const { t } = useTranslation("order");
  const confirming = useConfirmingWords(order);
  const { instrumentFrom, instrumentTo } = order.pair;
  const cardWords = {
    provider: order.card?.provider,
    sent: coinText(order.claimedDepositAmount, instrumentFrom),
    got: coinText(order.amountToGet, instrumentTo),
  };
  return (row) => {
    switch (row.kind) {
      case "card":
        return { title: t(`cardRow.${row.step}`, cardWords) };
      case "card_ended":
      case "card_declined":
      case "card_refused":
      case "card_returning":
      case "card_returned":
        return { title: t(`cardRow.${row.kind}`, cardWords) };
      case "waiting":
        return { title: t("timeline.waiting"), detail: t("timeline.waitingDetail") };
      case "deposit_gone":
        return { title: t("timeline.deposit_gone"), detail: t("timeline.depositGoneDetail") };
      case "hold_ended":
      case "attention":
      case "choice":
      case "refund_asked":
        return { title: t(`timeline.${row.kind}`) };
      case "expired":
        // Days may have passed since the order: with its date, which has no room beside the title.
        return { title: t("timeline.expired"), detail: row.at === null ? undefined : <Moment iso={row.at} /> };
      case "accepted":
        return { title: t("timeline.accepted", { amount: coinText(row.amount, instrumentTo) }) };
      case "deposit":
        return {
          title: t(`timeline.${depositText(row)}`),
          detail: (
            <Transaction
              text={coinText(row.amount, instrumentFrom)}
              txId={row.txId}
              template={instrumentFrom.explorerTx}
            />
          ),
        };
      case "confirming":
        return confirming(row);
      case "payout":
        return {
          title:
            row.amount === null
              ? t("timeline.payoutUnknown", { ticker: instrumentTo.currencyTitle })
              : t(payoutTitle(row.state, order.rateMode), { amount: coinText(row.amount, instrumentTo) }),
          detail: transactions(row.txIds, instrumentTo.explorerTx),
        };
      case "arrives":
        return {
          title:
            row.state === "next"
              ? t("timeline.arrives")
              : t(row.state === "done" ? "timeline.arrived" : "timeline.arrivesNow"),
          detail: <ShortHash value={order.destinationAddress} />,
        };
      case "refund_sent":
        return {
          title:
            row.state === "done"
              ? t("timeline.refundDone", { amount: coinText(row.amount, instrumentFrom) })
              : t("timeline.refundNow"),
          detail: transactions(row.txIds, instrumentFrom.explorerTx),
        };
      case "refund_arrives":
        return { title: t(row.state === "done" ? "timeline.arrived" : "timeline.refundNext") };
    }
  };
}

function payoutTitle(state: TimelineRow["state"], rateMode: Order["rateMode"]) {
  if (state === "done") return "timeline.payoutDone";
  if (state === "now") return "timeline.payoutNow";
  return rateMode === "FIXED" ? "timeline.payoutNext" : "timeline.payoutNextAbout";
}

const transactions = (txIds: readonly string[], template: string | null): ReactNode =>
  txIds.length === 0 ? undefined : txIds.map((txId) => <Transaction key={txId} txId={txId} template={template} />);

function useConfirmingWords(order: Order) {
  const { instrumentFrom } = order.pair;
  const isUnmined = isUnconfirmed(order);
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const { currencyTitle, networkFriendlyTitle, blockSeconds } = instrumentFrom;
  return ({ state, count, required }: TimelineRow & { kind: "confirming" }): Texts => {
    if (state === "done") return { title: t("timeline.confirmed") };
    if (state === "now") {
      return {
        title: t(isUnmined ? "timeline.firstBlock" : "timeline.confirmingNow"),
        time: t("timeline.count", { n: count, required }),
        detail:
          blockSeconds === null
            ? undefined
            : t("timeline.confirmingDetail", {
                ticker: currencyTitle,
                required,
                duration: formatDuration(common, Math.max(1, blockSeconds)),
              }),
      };
    }
    const seconds = secondsToConfirm(blockSeconds, { count, required });
    return {
      title: t("timeline.confirming", { count: required, network: networkFriendlyTitle }),
      time: seconds === null ? undefined : formatAbout(common, seconds),
    };
  };
}

type TransactionProps = { readonly text?: string; readonly txId: string; readonly template: string | null };

function Transaction({ text, txId, template }: TransactionProps) {
  const { t } = useTranslation("order");
  return (
    <>
      {text === undefined ? null : `${text}, `}
      {t("timeline.transaction")} <ShortHash value={txId} link={explorerLink(template, txId)} />
    </>
  );
}

const depositText = ({ isCounted, isUnconfirmed }: Extract<TimelineRow, { kind: "deposit" }>) => {
  if (!isCounted) return "depositTooSmall";
  return isUnconfirmed ? "depositUnconfirmed" : "deposit";
};
