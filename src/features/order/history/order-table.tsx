import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Order } from "#contract/order.ts";
import { orderPath } from "#contract/links/order-path.ts";
import { formatMoment } from "../../../shared/format/format-day.ts";
import { formatDateTime } from "../../../shared/format/format-time.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { CoinMark, Icon } from "../../../shared/ui/index.ts";
import { StatusText } from "../list/order-rows.tsx";
import { coinText } from "../model/amount-text.ts";
import { rowStatus, rowSums } from "../model/view/order-row.ts";

type OrderTableProps = {
  readonly orders: readonly Order[];
  /** The server's clock, milliseconds. */
  readonly now: number;
};

const NUMBER_COLUMNS = ["sent", "got"] as const;

/** The account's orders where there is room for their columns. */
export function OrderTable({ orders, now }: OrderTableProps) {
  const { t } = useTranslation("order");
  return (
    <div className="w-history__wide">
      <table className="w-history-table w-order-card">
        <caption className="w-visually-hidden">{t("history.title")}</caption>
        <thead>
          <tr>
            <th scope="col" aria-sort="descending">
              {t("history.columns.created")} <span aria-hidden="true">↓</span>
            </th>
            <th scope="col">{t("history.columns.order")}</th>
            {NUMBER_COLUMNS.map((name) => (
              <th key={name} scope="col" className="w-history-table__sum">
                {t(`history.columns.${name}`)}
              </th>
            ))}
            <th scope="col" className="w-history-table__rate">
              {t("history.columns.rate")}
            </th>
            <th scope="col">{t("history.columns.status")}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <TableRow key={order.orderId} order={order} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableRow({ order, now }: { readonly order: Order; readonly now: number }) {
  const { t } = useTranslation("order");
  const locale = useLocale();
  const timeZone = useTimeZone();
  const { instrumentFrom, instrumentTo } = order.pair;
  const status = rowStatus(order, now, false);
  const { sent, paid, paidSide } = rowSums(order, status);
  const paidIn = paidSide === "from" ? instrumentFrom : instrumentTo;
  return (
    <tr>
      <td className="w-number">
        <time dateTime={order.createdAt} title={`${formatDateTime(order.createdAt, locale, { timeZone })} ${timeZone}`}>
          {formatMoment(order.createdAt, locale, { now, timeZone })}
        </time>
      </td>
      <th scope="row">
        <Link className="w-history-table__link w-mono" href={orderPath(order.orderId, order.destinationAddress)}>
          {order.reference}
        </Link>
      </th>
      <td className="w-history-table__sum w-number">
        <span>
          {coinText(sent, instrumentFrom)} <CoinMark instrument={instrumentFrom} size={24} />
        </span>
      </td>
      <td className="w-history-table__sum w-history-table__sum--got w-number">
        <span>
          {coinText(paid, paidIn)} <CoinMark instrument={paidIn} size={24} />
        </span>
      </td>
      <td className="w-history-table__rate">{t(order.rateMode === "FIXED" ? "history.fixed" : "history.floating")}</td>
      <td>
        <span className="w-history-table__end">
          <span className={`w-orders__status w-orders__status--${status.tone} w-number`}>
            <StatusText status={status} />
          </span>
          <Icon name="chevron-right" size={18} />
        </span>
      </td>
    </tr>
  );
}
