import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { shorten } from "#contract/site/short-address.ts";
import { openOutside } from "../../../telegram/open-outside.ts";
import { Dialog, PrimaryAction, SecondaryAction } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import { Row } from "../page/details.tsx";
import { rememberNamedCard } from "./named-cards.ts";
import { AddressBar, type CardOrderProps } from "./pay-card.tsx";

type PaymentWindowProps = CardOrderProps & { readonly open: boolean; readonly onClose: () => void };

/** Leads to the provider's payment page, by a link: what opens by itself, browsers block. */
export function PaymentWindow({ order, open, onClose }: PaymentWindowProps) {
  const { t } = useTranslation("order");
  const { provider, direction } = order.card;
  const { instrumentFrom, instrumentTo } = order.pair;
  const url = order.redirectUrl ?? "";
  const leave = () => {
    if (direction === "sell") rememberNamedCard(order.orderId);
    onClose();
  };
  const openPage = (event: MouseEvent) => {
    openOutside(event, url);
    leave();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t(`card.${direction}.windowTitle`, { provider })}
      footer={
        <div className="w-order-by-card__actions">
          <PrimaryAction stretched href={url} isNewTab onClick={openPage}>
            {t(`card.${direction}.open`)}
          </PrimaryAction>
          <SecondaryAction stretched onClick={leave}>
            {t(`card.${direction}.later`)}
          </SecondaryAction>
        </div>
      }
    >
      <div className="w-order-by-card">
        <p className="w-order-by-card__provider" aria-hidden="true">
          {provider.slice(0, 1)}
        </p>
        <p>{t(`card.${direction}.windowText`, { provider })}</p>
        <dl className="w-order-rows w-order-by-card__rows w-number">
          <Row label={t("head.order")}>
            <span className="w-mono">{order.reference}</span>
          </Row>
          <Row label={t(direction === "buy" ? "card.pay" : "summary.send")}>
            {coinText(order.claimedDepositAmount, instrumentFrom)}
          </Row>
          <Row label={t("summary.getAbout")}>{coinText(order.amountToGet, instrumentTo)}</Row>
          {direction === "buy" ? (
            <Row label={t("refund.to")}>
              <code className="w-mono" translate="no" title={order.destinationAddress}>
                {shorten(order.destinationAddress)}
              </code>
            </Row>
          ) : null}
        </dl>
        <AddressBar url={order.redirectUrl} />
      </div>
    </Dialog>
  );
}
