import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SWRConfig } from "swr";
import { formatDateTime } from "../../../shared/format/format-time.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { Button, LiveRegion, Note, BoatIllustration, Skeleton } from "../../../shared/ui/index.ts";
import { LookupForm } from "../lookup/lookup-form.tsx";
import { type SavedOrder, savedOrders, useSavedOrders } from "../store.ts";
import { useServerNow, useServerOffset } from "../page/use-server-now.ts";
import { ForgetDialog } from "./forget-dialog.tsx";
import { OrderDays } from "./order-rows.tsx";
import { type SavedOrderRounds, useSavedOrderRounds } from "./use-saved-order-rounds.ts";
import "../page/details.css";
import "./orders-page.css";

/** `/orders`: the orders that this device has seen, readable without a network, and a search for any other one. */
export function OrdersPage() {
  const { t } = useTranslation("order");
  return (
    <div className="w-orders w-page">
      <header className="w-orders__head">
        <h1 className="w-orders__title">{t("list.title")}</h1>
        <p className="w-orders__lead">{t("list.lead")}</p>
      </header>
      <div className="w-orders__columns">
        <SWRConfig value={{ provider: () => new Map() }}>
          <SavedOrders />
        </SWRConfig>
        <section className="w-orders__find w-order-card" aria-labelledby="orders-find">
          <h2 id="orders-find" className="w-orders__subtitle">
            {t("list.find")}
          </h2>
          <p className="w-orders__text">{t("list.findText")}</p>
          <LookupForm orderId="" destinationAddress="" isMain={false} />
        </section>
      </div>
    </div>
  );
}

function SavedOrders() {
  const { t } = useTranslation("order");
  const offset = useServerOffset();
  const { orders: saved, isDenied } = useSavedOrders();
  const rounds = useSavedOrderRounds(offset);
  const [asked, setAsked] = useState<readonly SavedOrder[]>([]);
  const [hasForgotten, setForgotten] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const list = useRef<HTMLElement>(null);
  const orders = saved ?? [];

  const forget = async () => {
    setAsked([]);
    await savedOrders.forget(asked.map(({ order }) => order.orderId));
    rounds.refresh();
    setForgotten(true);
    // What had the focus is gone with its row.
    list.current?.focus();
  };
  return (
    <section className="w-orders__list" ref={list} tabIndex={-1} aria-label={t("list.title")}>
      {saved === null ? <GreyRows /> : null}
      <ListNotes newest={orders[0]?.seenAt} isDenied={isDenied} rounds={rounds} />
      {saved !== null && orders.length === 0 && !isDenied ? <EmptyList /> : null}
      <Days
        orders={orders}
        gone={rounds.gone}
        offset={offset}
        onForget={isEditing ? (saved) => setAsked([saved]) : null}
      />
      {orders.length === 0 ? null : (
        <div className="w-orders__edit">
          <Button variant="plain" onClick={() => setEditing(!isEditing)}>
            {t(isEditing ? "list.editDone" : "list.edit")}
          </Button>
          {isEditing && orders.length > 1 ? (
            <Button variant="plain" onClick={() => setAsked(orders)}>
              {t("list.forgetAll")}
            </Button>
          ) : null}
        </div>
      )}
      <ForgetDialog orders={asked} onClose={() => setAsked([])} onForget={() => void forget()} />
      <LiveRegion text={hasForgotten ? t("list.forgotten") : ""} />
    </section>
  );
}

type DaysProps = {
  readonly orders: readonly SavedOrder[];
  readonly gone: ReadonlySet<string>;
  readonly offset: number;
  readonly onForget: ((saved: SavedOrder) => void) | null;
};

/** Apart from what holds it, since its ages move. */
function Days({ orders, gone, offset, onForget }: DaysProps) {
  const now = useServerNow(offset, orders.length > 0);
  return <OrderDays orders={orders} gone={gone} now={now} onForget={onForget} />;
}

type ListNotesProps = {
  /** When the newest row was seen. */
  readonly newest: string | undefined;
  readonly isDenied: boolean;
  readonly rounds: SavedOrderRounds;
};

/** Why rows may be older than they should be. */
function ListNotes({ newest, isDenied, rounds: { isFailing, refresh } }: ListNotesProps) {
  const { t } = useTranslation("order");
  const locale = useLocale();
  const timeZone = useTimeZone();
  const isOnline = useOnline();
  const retry = (
    <Button variant="soft" onClick={refresh}>
      {t("list.retry")}
    </Button>
  );
  if (isDenied) {
    return (
      <Note tone="danger" title={t("list.denied")} action={retry}>
        {t("list.deniedText")}
      </Note>
    );
  }
  if (newest === undefined) return null;
  if (!isOnline) {
    const time = formatDateTime(newest, locale, { timeZone, precision: "time" });
    return <p className="w-orders__caption w-number">{t("list.offline", { time })}</p>;
  }
  return isFailing ? (
    <Note tone="info" title={t("list.failed")} action={retry}>
      {t("list.failedText")}
    </Note>
  ) : null;
}

/** A device that has seen no order yet. */
function EmptyList() {
  const { t } = useTranslation("order");
  return (
    <div className="w-orders__empty w-order-card">
      <BoatIllustration />
      <h2 className="w-orders__subtitle">{t("list.emptyTitle")}</h2>
      <p className="w-orders__text">{t("list.emptyText")}</p>
      <Button variant="soft" href="/">
        {t("list.go")}
      </Button>
    </div>
  );
}

const ROWS = [0, 1, 2];

/** In place of the rows until the device has read them; seen only when that takes long. */
const GreyRows = () => (
  <div className="w-orders__grey w-order-card" aria-busy="true">
    {ROWS.map((row) => (
      <Skeleton key={row} width="100%" height={44} />
    ))}
  </div>
);
