import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { formOf } from "../../../shared/browser/created-orders.ts";
import { saveExchangeDraft } from "../../../shared/browser/exchange-draft.ts";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { openOutside } from "../../../telegram/open-outside.ts";
import { BottomBar, Button, PrimaryAction } from "../../../shared/ui/index.ts";
import { rememberNamedCard } from "../card/named-cards.ts";
import type { MainAction as Action } from "../model/view/blocks.ts";
import { exchangePath, recreateDraft, recreatePath } from "../model/recreate.ts";
import { choiceAction } from "./order-parts.ts";
import { useShareOrder } from "./use-share-order.ts";

type MainActionProps = { readonly order: Order; readonly action: Action };

/** The one filled button of a screen, pinned to the lower edge of a phone. */
export const PinnedAction = ({ order, action }: MainActionProps) =>
  action === null ? null : (
    <div className="w-order__pinned">
      <BottomBar>
        <ActionButton order={order} action={action} />
      </BottomBar>
    </div>
  );

/** The same button inside the column from 600 px, where it is never below the fold. */
export const ColumnAction = ({ order, action }: MainActionProps) =>
  action === null ? null : (
    <div className="w-order__action">
      <ActionButton order={order} action={action} />
    </div>
  );

function ActionButton({ order, action }: MainActionProps) {
  const { t } = useTranslation("order");
  switch (action) {
    case "share":
      return <ShareButton order={order} />;
    case "choose":
      return <choiceAction.Component order={order} />;
    case "pay_by_card": {
      const url = order.redirectUrl ?? "";
      const isSale = order.card?.direction === "sell";
      const leave = (event: MouseEvent) => {
        openOutside(event, url);
        if (isSale) rememberNamedCard(order.orderId);
      };
      return (
        <PrimaryAction stretched href={url} isNewTab onClick={leave}>
          {t(isSale ? "card.sell.open" : "card.buy.open")}
        </PrimaryAction>
      );
    }
    case "open_wallet":
      return (
        // Never Telegram's own button: its web views open no other schemes. CSS hides it there, and where there is a mouse.
        <Button stretched href={order.depositUri} className="w-order__wallet">
          {t("qr.open")}
        </Button>
      );
    case "new_exchange":
      return (
        <PrimaryAction stretched href={exchangePath(order)}>
          {t("receipt.again")}
        </PrimaryAction>
      );
    case "recreate":
      return <RecreateButton order={order} />;
    case null:
      return null;
  }
}

/** Back to the calculator with everything that the order was created with. */
function RecreateButton({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const form = useHydrated() ? formOf(order.orderId) : null;
  return (
    <PrimaryAction stretched href={form ?? recreatePath(order)} onClick={() => saveExchangeDraft(recreateDraft(order))}>
      {t("expired.again")}
    </PrimaryAction>
  );
}

function ShareButton({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { message, share } = useShareOrder(order);
  return (
    <>
      <PrimaryAction stretched onClick={() => void share()}>
        {message || t("head.share")}
      </PrimaryAction>
      <span className="w-visually-hidden" role="status">
        {message}
      </span>
    </>
  );
}
