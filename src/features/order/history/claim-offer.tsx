import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notify, SHORT_TIMEOUT_MS } from "../../../shared/page/notifications.ts";
import { Button, Note } from "../../../shared/ui/index.ts";
import { claimOrders, useClaimableOrders } from "./api.ts";

type ClaimOfferProps = { readonly userId: number; readonly onClaimed: () => Promise<void> };

/** Offers to add the orders that this device made as a guest (contract §8); others may use the device, so nothing is added by itself. */
export function ClaimOffer({ userId, onClaimed }: ClaimOfferProps) {
  const { t } = useTranslation("order");
  const { orders, reload } = useClaimableOrders(userId);
  const [isBusy, setBusy] = useState(false);
  const [isAnswered, setAnswered] = useState(false);
  const claim = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const count = await claimOrders(orders);
      // One that belongs to another account stays there: asking again would change nothing.
      setAnswered(true);
      notify({ type: "success", message: t("history.claimed", { count }) });
      await Promise.all([reload(), onClaimed()]);
    } catch (error) {
      console.warn("orders can't be claimed", error);
      notify({ type: "error", message: t("history.claimFailed"), timeoutMs: SHORT_TIMEOUT_MS });
    } finally {
      setBusy(false);
    }
  };
  if (orders.length === 0 || isAnswered) return null;
  return (
    <Note
      tone="info"
      title={t("history.claim", { count: orders.length })}
      action={
        <Button variant="soft" onClick={() => void claim()} busyLabel={isBusy ? t("history.claimBusy") : null}>
          {t("history.claimDo")}
        </Button>
      }
    >
      {t("history.claimText")}
    </Note>
  );
}
