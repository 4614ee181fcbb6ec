import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useIsTracking } from "../../../shared/analytics/track.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { clearFieldNotification, notify, SHORT_TIMEOUT_MS } from "../../../shared/page/notifications.ts";
import { setEmail } from "../api.ts";
import { trackOrderEvents } from "./tracking.ts";

export const EMAIL_FIELD = "order-email";

/** Saves an order's email. The page knows the destination address, so the email is confirmed at once (contract §3). */
export function useSaveEmail(order: Order, onSaved: () => Promise<unknown>) {
  const { t } = useTranslation("order");
  const isTracking = useIsTracking();
  const [isSaving, setSaving] = useState(false);
  useEffect(() => () => clearFieldNotification(EMAIL_FIELD), []);

  const save = async (userEmail: string): Promise<void> => {
    const { orderId, destinationAddress } = order;
    setSaving(true);
    try {
      await setEmail({ orderId, destinationAddress, userEmail });
      if (isTracking) void trackOrderEvents(order, ["email set"]);
      await onSaved();
    } catch (error) {
      notify({
        type: "error",
        message: t(isAlreadySet(error) ? "updates.alreadySet" : "updates.failed"),
        field: EMAIL_FIELD,
        timeoutMs: SHORT_TIMEOUT_MS,
        traceId: error instanceof CallError ? error.traceId : null,
      });
      playHaptic("failed");
    } finally {
      setSaving(false);
    }
  };
  return { save, isSaving };
}

const isAlreadySet = (error: unknown): boolean =>
  error instanceof CallError && error.code === "ERR_UNPROCESSABLE_ENTITY";
