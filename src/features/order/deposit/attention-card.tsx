import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { AddressGroups, Button, CopyButton, Note } from "../../../shared/ui/index.ts";
import { MemoToo } from "./deposit-address.tsx";
import { coinText, exactCoinText } from "../model/amount-text.ts";
import { isBelowMinimum, topUpOf, topUpText } from "../model/top-up.ts";
import type { OrderView } from "../model/view/order-view.ts";
import { Row } from "../page/details.tsx";
import "./attention-card.css";

export type AttentionCardProps = { readonly order: Order; readonly view: OrderView; readonly onRefund: () => void };
type Attention = NonNullable<Order["attention"]>;

/** A sum outside the bounds: what arrived, the bound that it breaks, and what the customer can do, side by side. */
export function AttentionCard({ order, view, onRefund }: AttentionCardProps) {
  const { t } = useTranslation("order");
  const { attention } = order;
  if (attention === null) return null;
  const { instrumentFrom } = order.pair;
  const [received, expected] = [
    coinText(attention.received, instrumentFrom),
    coinText(attention.expected, instrumentFrom),
  ];
  return (
    <section className="w-order-attention" aria-labelledby="order-attention">
      <Note
        tone="signal"
        title={<span id="order-attention">{t(`attention.${attention.reason}.title`, { received, expected })}</span>}
      >
        {t(`attention.${attention.reason}.text`)}
      </Note>
      <Figures order={order} attention={attention} />
      <div className="w-order-attention__ways" role="group" aria-label={t("attention.group")}>
        {view.actions.topUp && isBelowMinimum(attention) ? (
          <TopUp order={order} text={topUpText(t, attention, instrumentFrom)} />
        ) : null}
        {view.actions.refund === null ? null : (
          <Way title={t("refund.ask")} text={t("attention.refundText")}>
            <Button variant="soft" stretched onClick={onRefund}>
              {t("refund.ask")}
            </Button>
          </Way>
        )}
      </div>
    </section>
  );
}

function Figures({ order, attention }: { readonly order: Order; readonly attention: Attention }) {
  const { t } = useTranslation("order");
  const { instrumentFrom } = order.pair;
  return (
    <dl className="w-order-card w-order-rows w-number">
      <Row label={t("attention.arrived")}>{coinText(attention.received, instrumentFrom)}</Row>
      <Row label={t(isBelowMinimum(attention) ? "attention.smallest" : "attention.largest")}>
        {coinText(attention.expected, instrumentFrom)}
      </Row>
      {isBelowMinimum(attention) ? (
        <Row label={t("attention.missing")}>
          {exactCoinText(topUpOf(attention, instrumentFrom).missing, instrumentFrom)}
        </Row>
      ) : null}
    </dl>
  );
}

function TopUp({ order, text }: { readonly order: Order; readonly text: string }) {
  const { t } = useTranslation("order");
  const { depositAddress } = order;
  if (depositAddress === null) return null;
  return (
    <Way title={t("attention.topUp")} text={text}>
      <AddressGroups address={depositAddress} />
      <MemoToo order={order} />
      <CopyButton
        stretched
        value={depositAddress}
        label={t("address.copy")}
        copiedLabel={t("head.copied")}
        failedLabel={t("head.notCopied")}
      />
    </Way>
  );
}

type WayProps = { readonly title: string; readonly text: string; readonly children: ReactNode };

/** One of the ways on; all look the same. */
const Way = ({ title, text, children }: WayProps) => (
  <div className="w-order-attention__way w-order-card">
    <h2 className="w-order-attention__title">{title}</h2>
    <p className="w-order-attention__text">{text}</p>
    {children}
  </div>
);
