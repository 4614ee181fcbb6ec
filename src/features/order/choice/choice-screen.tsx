import { useTranslation } from "react-i18next";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import type { Order } from "#contract/order.ts";
import type { RateWarningCause } from "#contract/order-progress.ts";
import { Button, Note, Radio } from "../../../shared/ui/index.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { CopyDepositAddress, MemoToo } from "../deposit/deposit-address.tsx";
import { coinText } from "../model/amount-text.ts";
import { isBelowMinimum, topUpText } from "../model/top-up.ts";
import type { OrderView } from "../model/view/order-view.ts";
import { isReloadedToScan } from "../../../address/scan/reload-to-scan.ts";
import { REFUND_ADDRESS_ID } from "../refund/refund-address-id.ts";
import { RefundFields } from "../refund/refund-fields.tsx";
import { ChangedSum, RefundSum } from "../refund/refund-sum.tsx";
import { ShortHash } from "../page/details.tsx";
import { useOpenChoice } from "./choice-context.tsx";
import { RateChangeCard } from "./rate-change-card.tsx";
import { RefundDetail } from "./refund-detail.tsx";
import type { Option } from "../model/choice/choice.ts";
import { formatDuration } from "../../../shared/format/format-time.ts";
import { depositDelay } from "../model/view/order-times.ts";
import { depositedTotal } from "../model/view/deposits.ts";
import "./choice-card.css";

export type ChoiceScreenProps = { readonly order: Order; readonly view: OrderView };

/** The fixed rate has ended: why, what the rate is now, and the two ways to go on, neither chosen beforehand. */
export function ChoiceScreen({ order, view }: ChoiceScreenProps) {
  const { t } = useTranslation("order");
  const cause = useCause(order, view.warning);
  const { accept, refund } = view.actions;
  return (
    <section className="w-order-choice" aria-labelledby="order-choice">
      <Note tone="signal" title={<span id="order-choice">{t("choice.title")}</span>}>
        {cause} {t("choice.next")}
      </Note>
      <RateChangeCard order={order} time={view.offer} />
      {order.offer === null ? <NoOffer order={order} /> : null}
      <fieldset className="w-order-choice__cards" role="radiogroup" aria-labelledby="order-choice-group">
        <legend id="order-choice-group" className="w-visually-hidden">
          {t("choice.group")}
        </legend>
        {accept ? <AcceptCard order={order} /> : null}
        {refund === "card" ? <RefundCard order={order} /> : null}
      </fieldset>
    </section>
  );
}

/** A sum that no floating rate takes: the bound that it breaks, and what helps. */
function NoOffer({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { attention } = order;
  const { instrumentFrom } = order.pair;
  if (attention === null)
    return (
      <Note tone="info" title={t("choice.noOffer")}>
        {t("choice.outside")}
      </Note>
    );
  const { reason } = attention;
  const [received, expected] = [
    coinText(attention.received, instrumentFrom),
    coinText(attention.expected, instrumentFrom),
  ];
  const isBelow = isBelowMinimum(attention);
  return (
    <Note
      tone="info"
      title={t(`attention.${reason}.title`, { received, expected })}
      action={isBelow ? <CopyDepositAddress order={order} /> : undefined}
    >
      {isBelow ? topUpText(t, attention, instrumentFrom) : t("attention.ABOVE_MAXIMUM.text")}
      {isBelow ? <MemoToo order={order} /> : null}
    </Note>
  );
}

function AcceptCard({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { choice, stop } = useOpenChoice();
  const { instrumentTo } = order.pair;
  const before = choice.before.accept;
  const now = choice.shown.offer?.amountToGet ?? null;
  return (
    <ChoiceCard
      option="accept"
      title={t("choice.accept")}
      disabled={stop === "ended"}
      sum={
        <ChangedSum
          now={now === null ? null : coinText(now, instrumentTo)}
          before={before === null ? null : coinText(before, instrumentTo)}
          hasEnded={stop === "ended"}
        />
      }
      detail={
        stop === "no-block" ? (
          t("choice.noBlock")
        ) : (
          <>
            {t("choice.sentTo")} <ShortHash value={order.destinationAddress} />
          </>
        )
      }
    >
      {stop === "ended" ? <EndedOffer /> : null}
    </ChoiceCard>
  );
}

/** Says that the sum above holds no more, and asks for another one. */
function EndedOffer() {
  const { t } = useTranslation("order");
  const { request, choice, renew } = useOpenChoice();
  const isOnline = useOnline();
  const isBusy = request.isSending && choice.chosen === null;
  return (
    <Note
      tone="info"
      title={t("choice.offerEnded")}
      action={
        <Button variant="soft" disabled={!isOnline} busyLabel={isBusy ? t("choice.renewing") : null} onClick={renew}>
          {t(isOnline ? "choice.renew" : "stale.waiting")}
        </Button>
      }
    >
      {t("choice.offerEndedText")}
    </Note>
  );
}

function RefundCard({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { choice, choose, figures, form, request } = useOpenChoice();
  const { refund } = choice.shown;
  const chooseAgain = useEffectEvent(() => choose("refund"));
  useEffect(() => {
    if (isReloadedToScan(REFUND_ADDRESS_ID)) chooseAgain();
  }, []);
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
        <RefundFields order={order} form={form} request={request} />
      ) : null}
    </ChoiceCard>
  );
}

type ChoiceCardProps = {
  readonly option: Option;
  readonly title: string;
  readonly sum: ReactNode;
  readonly detail: ReactNode;
  readonly disabled?: boolean;
  /** What belongs to the option but is no part of its label. */
  readonly children?: ReactNode;
};

/** One of the two ways to go on; both look the same. */
function ChoiceCard({ option, title, sum, detail, disabled = false, children }: ChoiceCardProps) {
  const { choice, choose } = useOpenChoice();
  return (
    <div className="w-order-choice__card w-order-card">
      <Radio
        className="w-order-choice__option"
        name="order-choice"
        value={option}
        checked={choice.chosen === option}
        disabled={disabled}
        onChecked={() => choose(option)}
      >
        <span className="w-order-choice__text">
          <span className="w-order-choice__title">{title}</span>
          {sum}
          <span className="w-order-choice__detail">{detail}</span>
        </span>
      </Radio>
      {children}
    </div>
  );
}

/** Why the fixed rate ended, with the figures where they are known. */
function useCause(order: Order, cause: RateWarningCause | null): string {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const { instrumentFrom } = order.pair;
  const arrived = coinText(depositedTotal(order), instrumentFrom);
  switch (cause) {
    case 1:
      return t("choice.cause1");
    case 2: {
      const late = depositDelay(order);
      if (late === null) return t("choice.cause2");
      return t("choice.cause2By", {
        arrived,
        late: formatDuration(common, late.seconds),
        rateLock: formatDuration(common, late.rateLockSeconds),
      });
    }
    case 3:
      return order.deposits.length === 0
        ? t("choice.cause3")
        : t("choice.cause3By", { arrived, claimed: coinText(order.claimedDepositAmount, instrumentFrom) });
    case null:
      return t("choice.cause0");
  }
}
