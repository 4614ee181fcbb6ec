import type { Order } from "#contract/order.ts";
import { useTranslation } from "react-i18next";
import { Button, Note } from "../../../../shared/ui/index.ts";
import { coinText } from "../../amount-text.ts";
import type { OrderView } from "../../model/order-view.ts";
import { RefundFields } from "../refund/refund-fields.tsx";
import { ChangedSum, RefundSum } from "../refund/refund-sum.tsx";
import { ShortHash } from "../short-hash.tsx";
import { ChoiceCard } from "./choice-card.tsx";
import { useOpenChoice } from "./choice-context.tsx";
import { RateChangeCard } from "./rate-change-card.tsx";
import { useCause } from "./use-cause.ts";

export type ChoiceScreenProps = { readonly order: Order; readonly view: OrderView };

/** The fixed rate has ended: why, what the rate is now, and the two ways to go on, neither chosen beforehand. */
export function ChoiceScreen({ order, view }: ChoiceScreenProps) {
  const { t } = useTranslation("order");
  const cause = useCause(order, view.warning);
  const { accept, refund, topUp } = view.actions;
  return (
    <section className="w-order-choice" aria-labelledby="order-choice">
      <Note tone="signal" title={<span id="order-choice">{t("choice.title")}</span>}>
        {cause} {t("choice.next")}
      </Note>
      <RateChangeCard order={order} />
      {topUp ? (
        <Note tone="info" title={t("choice.noOffer")}>
          {t("choice.topUp")}
        </Note>
      ) : null}
      <fieldset className="w-order-choice__cards" role="radiogroup" aria-label={t("choice.group")}>
        {accept ? <AcceptCard order={order} /> : null}
        {refund === "card" ? <RefundCard order={order} /> : null}
      </fieldset>
    </section>
  );
}

function AcceptCard({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { choice } = useOpenChoice();
  const { instrumentTo } = order.pair;
  const before = choice.before.accept;
  const now = choice.shown.offer?.amountToGet ?? null;
  return (
    <ChoiceCard
      option="accept"
      title={t("choice.accept")}
      sum={
        <ChangedSum
          now={now === null ? null : coinText(now, instrumentTo)}
          before={before === null ? null : coinText(before, instrumentTo)}
        />
      }
      detail={
        <>
          {t("choice.sentTo")} <ShortHash value={order.destinationAddress} />
        </>
      }
    />
  );
}

function RefundCard({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { choice, figures, form, request, field } = useOpenChoice();
  const { refund } = choice.shown;
  const isTooSmall = form.blockers.some(({ kind }) => kind === "too-small");
  const hasFailed = figures.info === "failed" && refund === null;
  return (
    <ChoiceCard
      option="refund"
      title={t("choice.getRefund")}
      disabled={isTooSmall || hasFailed}
      sum={
        hasFailed ? (
          <span>{t("choice.refundUnknown")}</span>
        ) : (
          <RefundSum
            order={order}
            amount={refund?.refundAmountWithoutNetworkFee ?? null}
            before={choice.before.refund}
          />
        )
      }
      detail={isTooSmall ? t("refund.tooSmall") : <RefundDetail order={order} />}
    >
      {hasFailed ? (
        <Button variant="soft" onClick={figures.retry}>
          {t("stale.retry")}
        </Button>
      ) : null}
      {choice.chosen === "refund" && order.refundAddress === null ? (
        <RefundFields order={order} form={form} request={request} field={field} />
      ) : null}
    </ChoiceCard>
  );
}

function RefundDetail({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { refund } = useOpenChoice().choice.shown;
  const fee =
    refund === null ? null : t("choice.refundFee", { amount: coinText(refund.networkFee, order.pair.instrumentFrom) });
  if (order.refundAddress === null) return fee;
  return (
    <>
      {t("choice.refundTo")} <ShortHash value={order.refundAddress} />
      {fee === null ? null : `, ${fee}`}
    </>
  );
}
