import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isOrderOver } from "#contract/order-progress.ts";
import { useSavedOrders } from "../store.ts";
import { OrderRow } from "./order-rows.tsx";
import "../page/details.css";
import "./orders-page.css";

const MAX_ROWS = 3;
const NONE: ReadonlySet<string> = new Set();

/** The newest unfinished orders of this device, each a link to its page; nothing where there are none. */
export function OpenOrders() {
  const { t } = useTranslation("order");
  const open = useSavedOrders().orders?.filter(({ order }) => !isOrderOver(order)) ?? [];
  const [now] = useState(Date.now);
  if (open.length === 0) return null;
  return (
    <section className="w-orders__open" aria-labelledby="open-orders">
      <h2 id="open-orders" className="w-orders__date">
        {t("list.title")}
      </h2>
      <ul className="w-orders__rows w-order-card">
        {open.slice(0, MAX_ROWS).map((saved) => (
          <OrderRow key={saved.order.orderId} saved={saved} gone={NONE} now={now} onForget={null} />
        ))}
      </ul>
    </section>
  );
}
