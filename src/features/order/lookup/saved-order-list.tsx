import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { orderPath } from "#contract/order-path.ts";
import { formatAge } from "../../../shared/format/format-time.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { Icon, Section } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import type { SavedOrder } from "../store.ts";
import "./lookup.css";

type Listed = { readonly orders: readonly SavedOrder[]; readonly now: number };

/** The orders that were seen on this device; nothing where there are none. */
export function SavedOrderList() {
  const { t } = useTranslation("order");
  const listed = useKept();
  if (listed.orders.length === 0) return null;
  return (
    <Section title={t("lookup.kept")}>
      <ul className="w-order-kept">
        {listed.orders.map((kept) => (
          <KeptRow key={kept.order.orderId} kept={kept} now={listed.now} />
        ))}
      </ul>
    </Section>
  );
}

function useKept(): Listed {
  const [listed, setListed] = useState<Listed>({ orders: [], now: 0 });
  useEffect(() => {
    let isLeft = false;
    const read = async () => {
      const { savedOrders } = await import("../store.ts");
      const orders = await savedOrders.all();
      if (!isLeft) setListed({ orders, now: Date.now() });
    };
    void read();
    return () => {
      isLeft = true;
    };
  }, []);
  return listed;
}

function KeptRow({ kept, now }: { readonly kept: SavedOrder; readonly now: number }) {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const { order, destinationAddress, seenAt } = kept;
  const { instrumentFrom, instrumentTo } = order.pair;
  const age = formatAge(common, (now - Date.parse(seenAt)) / 1000);
  return (
    <li>
      <a className="w-order-kept__row" href={orderPath(order.orderId, destinationAddress, useLocale())}>
        <Icon name="receipt" />
        <span className="w-order-kept__text">
          <span className="w-number">
            {coinText(order.claimedDepositAmount, instrumentFrom)} → {coinText(order.amountToGet, instrumentTo)}
          </span>
          <span className="w-order-kept__detail">
            <span className="w-mono">{order.reference}</span>, {t("lookup.keptSeen", { age })}
          </span>
        </span>
        <Icon name="chevron-right" size={20} />
      </a>
    </li>
  );
}
