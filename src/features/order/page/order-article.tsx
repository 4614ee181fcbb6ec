import { type Ref, useState } from "react";
import { createPortal } from "react-dom";
import { memoContext } from "#contract/address.ts";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useIsSandbox } from "../../../shared/page/page-context.ts";
import { AroundForeignText, classNames, CoinMark, Steps } from "../../../shared/ui/index.ts";
import type { Block } from "../model/view/blocks.ts";
import type { OrderView } from "../model/view/order-view.ts";
import { isCardOrder } from "../model/view/card-view.ts";
import { isPromiseOver } from "../model/view/promised.ts";
import {
  attentionCard,
  choiceProvider,
  choiceScreen,
  payCard,
  providerCard,
  receipt,
  refundCard,
  ringCard,
  stateCard,
} from "./order-parts.ts";
import type { OrderUpdates } from "../requests/use-customer-request.ts";
import { DepositCard } from "../deposit/deposit-card.tsx";
import { RateLockCard } from "../deposit/rate-lock-card.tsx";
import { ColumnAction, PinnedAction } from "./main-action.tsx";
import { NotificationsOffer } from "../notifications/notifications-offer.tsx";
import { OrderHead } from "./order-head.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { RefundLink, useRefundDialog } from "../refund/refund-link.tsx";
import { SandboxPayCard } from "../deposit/sandbox-pay-card.tsx";
import { ReviewNote } from "./review-note.tsx";
import { StateNotes } from "./state-notes.tsx";
import { Summary } from "./summary.tsx";
import { Updates } from "./email-form.tsx";
import { coinText } from "../model/amount-text.ts";
import { ShortHash } from "./details.tsx";
import { loadMessages } from "../../../shared/i18n/messages.ts";
import { optional } from "../../../shared/page/optional.tsx";
import "./details.css";
import "./order-article.css";
import "./confirmation-card.css";
import "./summary.css";
import "./timeline.css";

/** The place of the card that offers the app; its code and words come only after an order was completed. */
const InstallOffer = optional("the offer of the app", async (i18n) => {
  const [{ InstallCard }] = await Promise.all([import("../receipt/install-card.tsx"), loadMessages(i18n, ["install"])]);
  return InstallCard;
});

type OrderArticleProps = {
  readonly order: Order;
  readonly view: OrderView;
  /** The order came to this screen while its page was open. */
  readonly hasMoved: boolean;
  readonly stepsRef: Ref<HTMLDivElement>;
  readonly stale: React.ReactNode;
  readonly lastSeenAt: string | null;
  readonly updates: OrderUpdates;
};

/** An order as its view says: one column on a phone, the summary beside it on a wide page. */
export function OrderArticle({ order, view, hasMoved, stepsRef, stale, lastSeenAt, updates }: OrderArticleProps) {
  const { t } = useTranslation("order");
  const isSandbox = useIsSandbox();
  const has = (block: Block): boolean => view.blocks.includes(block);
  const refund = useRefundDialog(order, updates);
  const mayRefund = view.screen !== "choice" && view.actions.refund !== null;
  const hasAside = has("summary") || has("updates") || has("provider");
  const action = <ColumnAction order={order} action={view.mainAction} />;
  const pinnedAction = <PinnedAction order={order} action={view.mainAction} />;
  const [pinned, setPinned] = useState<HTMLElement | null>(null);
  return (
    <article className={classNames("w-order w-page", hasMoved && "w-order--moved")}>
      <OrderHead order={order} screen={view.screen} />
      <div className={hasAside ? "w-order__columns" : "w-order__single"}>
        <div className="w-order__main">
          <div className="w-order__steps" ref={stepsRef} tabIndex={-1}>
            <Steps
              label={t("steps.label")}
              steps={view.steps.map(({ name, state }) => ({ label: t(`steps.${name}`), state }))}
            />
          </div>
          {stale}
          <ReviewNote order={order} />
          <div className="w-order__pay">
            {view.countdown === null ? null : <RateLockCard countdown={view.countdown} />}
            <StateNotes order={order} view={view} />
            {isCardOrder(order) && has("card_pay") ? <payCard.Component order={order} /> : null}
            {isCardOrder(order) && has("card_state") ? (
              <stateCard.Component order={order} screen={view.screen} />
            ) : null}
            {has("address") ? (
              <DepositCard order={order} blocks={view.blocks} isOver={view.screen === "rate_ended"} />
            ) : null}
            {has("address") || has("expired") || has("card_pay") || has("card_state") ? action : null}
          </div>
          {has("attention") ? <attentionCard.Component order={order} view={view} onRefund={refund.open} /> : null}
          {has("choice") ? (
            // Around what needs it alone: what is typed elsewhere on the page outlives the choice.
            <choiceProvider.Component order={order} view={view} updates={updates}>
              <choiceScreen.Component order={order} view={view} />
              {action}
              {pinned === null ? pinnedAction : createPortal(pinnedAction, pinned)}
            </choiceProvider.Component>
          ) : null}
          <div className="w-order__state">
            {has("ring") ? <ringCard.Component order={order} view={view} /> : null}
            {has("refund") ? <refundCard.Component order={order} view={view} /> : null}
            {has("ring") || has("refund") ? action : null}
          </div>
          {view.receipt === null ? null : <receipt.Component order={order} receipt={view.receipt} />}
          {view.receipt === null ? null : action}
          {view.actions.refund === "quiet" ? <RefundLink onOpen={refund.open} /> : null}
          {mayRefund ? refund.dialog : null}
          {isSandbox && view.screen === "send" && order.depositAddress !== null ? (
            <SandboxPayCard order={order} onPaid={updates.onChanged} />
          ) : null}
          {has("get") ? <PayoutCell order={order} /> : null}
          {has("timeline") ? <OrderTimeline order={order} view={view} lastSeenAt={lastSeenAt} /> : null}
          {view.screen === "completed" ? <InstallOffer /> : null}
        </div>
        {hasAside ? (
          <aside className="w-order__aside">
            {isCardOrder(order) && has("provider") ? <providerCard.Component order={order} /> : null}
            {has("summary") ? (
              <Summary
                order={order}
                withDepositAddress={!has("address") && !has("preparing") && !has("expired")}
                isRateOver={isPromiseOver(order, view.screen)}
              />
            ) : null}
            {has("updates") ? <Updates order={order} onSaved={updates.onChanged} /> : null}
            {has("updates") ? <NotificationsOffer order={order} /> : null}
          </aside>
        ) : null}
      </div>
      {/* Only a choice needs the place: known to every order, it rendered the page twice in the task that ends its hydration. */}
      <div className="w-order__pinned-place" ref={has("choice") ? setPinned : undefined}>
        {has("choice") ? null : pinnedAction}
      </div>
    </article>
  );
}

/** What comes back and where to, in one row. */
function PayoutCell({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { instrumentTo } = order.pair;
  return (
    <div className="w-order-get w-order-card">
      <CoinMark instrument={instrumentTo} size={36} />
      <div>
        <p className="w-order-get__sum w-number">{coinText(order.amountToGet, instrumentTo)}</p>
        <p className="w-order-get__to">
          {order.card?.direction === "sell" ? t("get.card") : <Destination order={order} />}
        </p>
      </div>
    </div>
  );
}

function Destination({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { networkTitle } = order.pair.instrumentTo;
  return (
    <>
      {t(order.rateMode === "FIXED" ? "get.exactly" : "get.about")} <ShortHash value={order.destinationAddress} />{" "}
      {order.destinationAddressMemo === null ? null : (
        <AroundForeignText
          isMemo
          sentence={t("get.memo", { memo: "\n", context: memoContext(networkTitle) })}
          text={order.destinationAddressMemo}
        />
      )}
    </>
  );
}
