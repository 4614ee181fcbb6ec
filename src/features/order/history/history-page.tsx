import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import type { OrderHistory } from "#contract/accounts/order-history.ts";
import type { AccountSnapshot } from "../../../shared/account/account.ts";
import type { Seen } from "../../../shared/account/last-seen.ts";
import { SeenNote } from "../../../shared/account/seen-note.tsx";
import { showFromStart } from "../../../shared/page/show-from-start.ts";
import { useMedia } from "../../../shared/browser/use-media.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import { BoatIllustration, Button, Skeleton } from "../../../shared/ui/index.ts";
import { OrderDays } from "../list/order-rows.tsx";
import { useServerNow, useServerOffset } from "../page/use-server-now.ts";
import { ClaimOffer } from "./claim-offer.tsx";
import { DownloadButton } from "./download-button.tsx";
import { Filters } from "./filters.tsx";
import { useOrderHistory } from "./api.ts";
import { type HistoryQuery, isNarrowed, readHistoryQuery, writeHistoryQuery } from "./history-query.ts";
import { OrderTable } from "./order-table.tsx";
import { Pages } from "./pages.tsx";
import "../page/details.css";
import "../list/orders-page.css";
import "./history.css";

const WHOLE: HistoryQuery = { state: null, from: null, to: null, search: "", page: 1 };

/** `/profile/history` (spec §2): the account's orders. What narrows the list, and where in it one is, is in the URL. */
export function HistoryPage({ account: { userId } }: { readonly account: AccountSnapshot }) {
  const [path, navigate] = useLocation();
  const query = readHistoryQuery(useSearch());
  const history = useOrderHistory(userId, query);
  const isTable = useMedia(isTelegram() ? "(width >= 64em)" : "(width >= 48em)");
  const list = useRef<HTMLElement>(null);
  const show = (next: HistoryQuery) => navigate(path + writeHistoryQuery(next), { replace: true });
  const turn = (page: number) => {
    show({ ...query, page });
    showFromStart(list.current);
  };
  const hasOrders = history.data !== undefined && history.data.total > 0;
  const download = hasOrders ? <DownloadButton query={query} /> : null;
  return (
    <>
      {isTable ? download : null}
      <ClaimOffer userId={userId} onClaimed={history.reload} />
      <Filters query={query} onQuery={show} />
      <SeenNote of={[history]} />
      <section ref={list} className="w-history" tabIndex={-1} aria-busy={history.data === undefined}>
        <Orders history={history} query={query} isTable={isTable} onAll={() => show(WHOLE)} />
        <Pages total={history.data?.total ?? 0} page={query.page} isNumbered={isTable} onPage={turn} />
      </section>
      {isTable ? null : download}
    </>
  );
}

type OrdersProps = {
  readonly history: Seen<OrderHistory>;
  readonly query: HistoryQuery;
  readonly isTable: boolean;
  readonly onAll: () => void;
};

function Orders({ history: { data: value, hasFailed, seenAt }, query, isTable, onAll }: OrdersProps) {
  const { t } = useTranslation("order");
  const offset = useServerOffset();
  const now = useServerNow(offset, value !== undefined && value.items.length > 0);
  if (value === undefined) return hasFailed ? null : <GreyRows />;
  if (value.items.length === 0)
    return (
      <div className="w-history__empty w-order-card">
        <BoatIllustration />
        <h2 className="w-orders__subtitle">{t(isNarrowed(query) ? "history.noMatch" : "history.empty")}</h2>
        {isNarrowed(query) || query.page > 1 ? (
          <Button variant="soft" onClick={onAll}>
            {t("history.showAll")}
          </Button>
        ) : (
          <Button variant="soft" href="/">
            {t("list.go")}
          </Button>
        )}
      </div>
    );
  if (isTable) return <OrderTable orders={value.items} now={now} />;
  const at = new Date(seenAt === null ? now : Date.parse(seenAt) + offset).toISOString();
  const orders = value.items.map((order) => ({ order, destinationAddress: order.destinationAddress, seenAt: at }));
  return <OrderDays orders={orders} gone={NONE} now={now} onForget={null} />;
}

const NONE: ReadonlySet<string> = new Set();

const ROWS = [0, 1, 2];

const GreyRows = () => (
  <div className="w-history__grey w-order-card">
    {ROWS.map((row) => (
      <Skeleton key={row} width="100%" height={44} />
    ))}
  </div>
);
