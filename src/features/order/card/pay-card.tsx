import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { takePayment } from "../../../shared/browser/pending-payment.ts";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { openOutside } from "../../../telegram/open-outside.ts";
import { Icon } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import type { CardOrder } from "../model/view/card-view.ts";
import { useIsCardNamed } from "./named-cards.ts";
import "./card.css";

const paymentWindow = lazyWithPreload(
  "src/features/order/card/payment-window.tsx",
  async () => (await import("./payment-window.tsx")).PaymentWindow,
);

export type CardOrderProps = { readonly order: CardOrder };

/** What is to be done at the provider; of an order that was just created, in a window too. */
export function PayCard({ order }: CardOrderProps) {
  const { t } = useTranslation("order");
  const { provider, direction } = order.card;
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  useEffect(() => {
    if (!takePayment(order.orderId)) return;
    setOpened(true);
    setOpen(true);
  }, [order.orderId]);
  const isNamed = useIsCardNamed(order.orderId) && direction === "sell";
  const url = order.redirectUrl ?? "";
  const amount = coinText(order.claimedDepositAmount, order.pair.instrumentFrom);
  return (
    <section className="w-order-card w-order-by-card" aria-labelledby="order-pay">
      <h2 id="order-pay" className="w-order-by-card__title">
        {isNamed ? t("card.sell.namedTitle", { amount }) : t(`card.${direction}.title`, { provider, amount })}
      </h2>
      <p>{isNamed ? t("card.sell.namedText", { provider }) : t(`card.${direction}.text`, { provider })}</p>
      {isNamed ? (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer" onClick={(event) => openOutside(event, url)}>
            {t("card.sell.open")}
          </a>
        </p>
      ) : null}
      <AddressBar url={order.redirectUrl} />
      {wasOpened ? (
        <Suspense fallback={null}>
          <paymentWindow.Component order={order} open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </section>
  );
}

/** Where the payment page is: who looks finds out a page that only looks like it. */
export function AddressBar({ url }: { readonly url: string | null }) {
  const { t } = useTranslation("order");
  if (url === null) return null;
  return (
    <p className="w-order-by-card__host">
      <Icon name="lock" />
      <span>
        {t("card.addressBar")} <bdi className="w-mono">{new URL(url).host}</bdi>
      </span>
    </p>
  );
}
