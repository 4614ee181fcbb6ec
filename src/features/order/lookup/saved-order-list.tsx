import { useState } from "react";
import { useTranslation } from "react-i18next";
import { orderPath } from "#contract/links/order-path.ts";
import { formatAge } from "../../../shared/format/format-time.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { Icon, Section } from "../../../shared/ui/index.ts";
import { pairTexts } from "../model/amount-text.ts";
import { screenOf } from "../model/view/screen.ts";
import { type SavedOrder, useSavedOrders } from "../store.ts";
import "./lookup.css";

const MAX_ROWS = 5;

/** The orders that were last seen on this device; nothing where there are none. */
export function SavedOrderList() {
  const { t } = useTranslation("order");
  const orders = useSavedOrders().orders ?? [];
  const [now] = useState(Date.now);
  if (orders.length === 0) return null;
  return (
    <Section title={t("lookup.saved")}>
      <ul className="w-order-saved">
        {orders.slice(0, MAX_ROWS).map((saved) => (
          <SavedOrderRow key={saved.order.orderId} saved={saved} now={now} />
        ))}
      </ul>
    </Section>
  );
}

function SavedOrderRow({ saved, now }: { readonly saved: SavedOrder; readonly now: number }) {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const { order, destinationAddress, seenAt } = saved;
  const { sent, paid } = pairTexts(order, screenOf(order, Date.parse(seenAt)));
  const age = formatAge(common, (now - Date.parse(seenAt)) / 1000);
  return (
    <li>
      <a className="w-order-saved__row" href={orderPath(order.orderId, destinationAddress, useLocale())}>
        <Icon name="receipt" />
        <span className="w-order-saved__text">
          <span className="w-number">
            {sent} → {paid}
          </span>
          <span className="w-order-saved__detail">
            <span className="w-mono">{order.reference}</span>, {t("lookup.savedSeen", { age })}
          </span>
        </span>
        <Icon name="chevron-right" size={20} />
      </a>
    </li>
  );
}
