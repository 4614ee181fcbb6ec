import { memoContext } from "#contract/address.ts";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import type { Instrument } from "#contract/instrument.ts";
import { AddressGroups, MemoText } from "../../../shared/ui/index.ts";
import { coinText, rateText } from "../model/amount-text.ts";
import { Row } from "./details.tsx";
import { cardTerms } from "./order-parts.ts";
import { explorerLink } from "../../../address/explorer-link.ts";
import { feesOf } from "../model/receipt.ts";
import { isCardOrder } from "../model/view/card-view.ts";
import { arrivedInstead } from "../model/view/deposits.ts";
import { agreedSums } from "../model/view/promised.ts";

type SummaryProps = {
  readonly order: Order;
  readonly withDepositAddress: boolean;
  /** What was promised is no longer what is paid: its rate has ended, or the deposit is another one. */
  readonly isRateOver: boolean;
};

/** The terms of an order: what goes, what comes, the rate with its fees, and every address. */
export function Summary({ order, withDepositAddress, isRateOver }: SummaryProps) {
  const { t } = useTranslation("order");
  const { instrumentFrom, instrumentTo } = order.pair;
  return (
    <section className="w-order-summary w-order-card" aria-labelledby="order-summary">
      <h2 id="order-summary" className="w-order-summary__title">
        {t("summary.title")}
      </h2>
      <Terms order={order} isRateOver={isRateOver} />
      {order.card?.direction === "sell" ? null : (
        <Recipient
          label={t("summary.to", { network: instrumentTo.networkFriendlyTitle })}
          address={order.destinationAddress}
          memo={order.destinationAddressMemo}
          instrument={instrumentTo}
        />
      )}
      {order.refundAddress === null ? null : (
        <Recipient
          label={t("summary.refund", { network: instrumentFrom.networkFriendlyTitle })}
          address={order.refundAddress}
          memo={order.refundAddressMemo}
          instrument={instrumentFrom}
        />
      )}
      {withDepositAddress && order.depositAddress !== null ? (
        <Recipient
          label={t("summary.deposit", { network: instrumentFrom.networkFriendlyTitle })}
          address={order.depositAddress}
          memo={order.depositAddressMemo}
          instrument={instrumentFrom}
        />
      ) : null}
    </section>
  );
}

function Terms({ order, isRateOver }: Pick<SummaryProps, "order" | "isRateOver">) {
  const { t } = useTranslation("order");
  if (isCardOrder(order))
    return (
      <dl className="w-order-rows w-number">
        <Suspense fallback={null}>
          <cardTerms.Component order={order} />
        </Suspense>
      </dl>
    );
  const { instrumentFrom, instrumentTo } = order.pair;
  const { price } = agreedSums(order);
  const { platformFee, networkFee, percent } = feesOf(order);
  const arrived = arrivedInstead(order);
  const promise = order.rateMode === "FIXED" ? "summary.getExactly" : "summary.getAbout";
  const promised = order.rateMode === "FIXED" ? "receipt.quotedExactly" : "receipt.quotedAbout";
  return (
    <dl className="w-order-rows w-number">
      <Row label={t(arrived === null ? "summary.send" : "summary.ordered")}>
        {coinText(order.claimedDepositAmount, instrumentFrom)}
      </Row>
      {arrived === null ? null : <Row label={t("attention.arrived")}>{coinText(arrived, instrumentFrom)}</Row>}
      <Row label={t(isRateOver ? promised : promise)}>{coinText(order.amountToGet, instrumentTo)}</Row>
      <Row label={t("summary.rate")}>{rateText(price, instrumentFrom, instrumentTo)}</Row>
      <Row label={percent === null ? t("receipt.fee") : t("receipt.feePercent", { percent })}>
        {coinText(platformFee, instrumentTo)}
      </Row>
      <Row label={t("receipt.networkFee")}>{coinText(networkFee, instrumentTo)}</Row>
    </dl>
  );
}

type RecipientProps = {
  readonly label: string;
  readonly address: string;
  readonly memo: string | null;
  readonly instrument: Instrument;
};

function Recipient({ label, address, memo, instrument }: RecipientProps) {
  const { t } = useTranslation("order");
  const link = explorerLink(instrument.explorerAddress, address);
  return (
    <div className="w-order-summary__place">
      <p className="w-order-summary__label">{label}</p>
      <AddressGroups address={address} />
      {memo === null ? null : (
        <p className="w-order-summary__label">
          {t("summary.memo", { context: memoContext(instrument.networkTitle) })} <MemoText>{memo}</MemoText>
        </p>
      )}
      {link === null ? null : (
        <a href={link} target="_blank" rel="noopener noreferrer">
          {t("summary.explorer")}
        </a>
      )}
    </div>
  );
}
