import { Link } from "wouter";
import { orderPath } from "#contract/links/order-path.ts";
import { formatDay } from "../../../shared/format/format-day.ts";
import { formatAge, formatDateTime } from "../../../shared/format/format-time.ts";
import { isSameCoin } from "../../../shared/format/pair-names.ts";
import { useTranslation } from "react-i18next";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { classNames, CoinMark, Icon, IconButton } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import type { SavedOrder } from "../store.ts";
import { byDay, dayOf, rowAge, type RowStatus, rowStatus, rowSums } from "../model/view/order-row.ts";

type OrderDaysProps = {
  readonly orders: readonly SavedOrder[];
  readonly gone: ReadonlySet<string>;
  /** The server's clock, milliseconds. */
  readonly now: number;
  /** While the list is edited. */
  readonly onForget: ((saved: SavedOrder) => void) | null;
};

/** Orders under the days on which they were created. */
export function OrderDays({ orders, gone, now, onForget }: OrderDaysProps) {
  const timeZone = useTimeZone();
  return byDay(orders, timeZone).map(({ day, orders: listed }) => (
    <section key={day} className="w-orders__day" aria-labelledby={`orders-${day}`}>
      <h2 id={`orders-${day}`} className="w-orders__date">
        <DayName day={day} today={dayOf(now, timeZone)} />
      </h2>
      <ul className={classNames("w-orders__rows w-order-card", onForget !== null && "w-orders__rows--edited")}>
        {listed.map((saved) => (
          <OrderRow key={saved.order.orderId} saved={saved} gone={gone} now={now} onForget={onForget} />
        ))}
      </ul>
    </section>
  ));
}

function DayName({ day, today }: { readonly day: string; readonly today: string }) {
  const { t } = useTranslation("order");
  const locale = useLocale();
  if (day === today) return t("list.today");
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return formatDay(day, locale, { month: "long", withYear: !isThisYear });
}

type OrderRowProps = Omit<OrderDaysProps, "orders"> & { readonly saved: SavedOrder };

/** An order in a list: what is exchanged, when, and how far it is. */
export function OrderRow({ saved, gone, now, onForget }: OrderRowProps) {
  const { t } = useTranslation("order");
  const { order, destinationAddress } = saved;
  const { instrumentFrom, instrumentTo } = order.pair;
  const status = rowStatus(order, now, gone.has(order.orderId));
  const { sent, paid, paidSide } = rowSums(order, status);
  return (
    <li className="w-orders__item">
      {onForget === null ? null : (
        <IconButton
          label={t("list.forget", { reference: order.reference })}
          icon={<Icon name="close" size={18} />}
          onClick={() => onForget(saved)}
        />
      )}
      <Link className="w-orders__row" href={orderPath(order.orderId, destinationAddress)}>
        <span className="w-orders__marks">
          <CoinMark instrument={instrumentFrom} size={28} withNetwork={false} />
          <CoinMark instrument={instrumentTo} size={28} />
        </span>
        <span className="w-orders__cell">
          <span className="w-orders__sent w-number">{coinText(sent, instrumentFrom)}</span>
          <span className="w-orders__detail w-number">
            <When saved={saved} status={status} now={now} />
          </span>
        </span>
        <span className="w-orders__cell w-orders__cell--end">
          <span className="w-orders__sum w-number">
            {coinText(paid, paidSide === "from" ? instrumentFrom : instrumentTo)}
          </span>
          <span className={`w-orders__status w-orders__status--${status.tone} w-number`}>
            <StatusText status={status} />
          </span>
        </span>
      </Link>
    </li>
  );
}

function When({ saved, status, now }: Pick<OrderRowProps, "saved" | "now"> & { readonly status: RowStatus }) {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const timeZone = useTimeZone();
  const { rateMode, createdAt, pair } = saved.order;
  const time = formatDateTime(createdAt, useLocale(), { timeZone, precision: "time" });
  const age = rowAge(saved, status, now);
  return (
    <>
      {t(rateMode === "FIXED" ? "list.fixed" : "list.floating", { time })}
      {isSameCoin(pair.instrumentFrom, pair.instrumentTo) ? (
        <span className="w-orders__networks">
          {pair.instrumentFrom.networkFriendlyTitle} → {pair.instrumentTo.networkFriendlyTitle}
        </span>
      ) : null}
      {age === null ? null : <span className="w-orders__age">{t("list.seen", { age: formatAge(common, age) })}</span>}
    </>
  );
}

export function StatusText({ status: { name, confirmations } }: { readonly status: RowStatus }) {
  const { t } = useTranslation("order");
  return confirmations === null
    ? t(`list.status.${name}`)
    : t("timeline.count", { n: confirmations.count, required: confirmations.required });
}
