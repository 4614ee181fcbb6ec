import { useEffect, useState, type ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { type PushDevice, openPush } from "../../../pwa/push.ts";
import { Button } from "../../../shared/ui/index.ts";
import { isNotified, startNotifications, stopNotifications } from "./order-notifications.ts";
import { readPushKey } from "../api.ts";
import { loadMessages } from "../../../shared/i18n/messages.ts";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import type { I18n } from "../../../shared/i18n/create-i18n.ts";

export type NotificationsProps = { readonly order: Order };
type CardProps = NotificationsProps & { readonly device: PushDevice; readonly publicKey: string };
type SwitchResult = "started" | "stopped" | "denied" | "failed";

/** Switches the notices of one order on and off on this device; permission is requested only on click. */
function NotificationsCard({ order, device, publicKey }: CardProps) {
  const { t } = useTranslation("notifications");
  const { t: common } = useTranslation("order");
  const locale = useLocale();
  const isOnline = useOnline();
  const [isOn, setOn] = useState<boolean | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<SwitchResult | null>(null);
  useEffect(
    () =>
      abortOnCleanup(async (signal) => {
        const isStored = await isNotified(device, order.orderId);
        if (!signal.aborted) setOn(isStored);
      }),
    [device, order.orderId],
  );

  const press = async () => {
    if (isBusy) return;
    setBusy(true);
    setResult(null);
    const next = isOn
      ? await stopNotifications(device, order)
      : await startNotifications(device, order, publicKey, locale);
    setBusy(false);
    setResult(next);
    if (next === "started" || next === "stopped") setOn(next === "started");
  };

  if (isOn === null) return null;
  const busyLabel = t(isOn ? "stopping" : "starting");
  const hasFailed = result === "denied" || result === "failed";
  return (
    <section className="w-order-card" aria-labelledby="order-notices">
      <h2 id="order-notices" className="w-order-summary__label">
        {t("title")}
      </h2>
      <div className="w-order-updates">
        <p>{hasFailed ? t(result) : t(isOn ? "on" : "text")}</p>
        <Button
          variant={isOn ? "plain" : "outline"}
          stretched
          disabled={!isOnline}
          busyLabel={isBusy ? busyLabel : null}
          onClick={() => void press()}
        >
          {isOnline ? t(isOn ? "stop" : "start") : common("stale.waiting")}
        </Button>
        <span className="w-visually-hidden" role="status">
          {result === null ? "" : t(result)}
        </span>
      </div>
    </section>
  );
}

/** The control that switches an order's notices, with its words; null where the service sends none. */
export async function openNotifications(i18n: I18n): Promise<ComponentType<NotificationsProps> | null> {
  const publicKey = await readPushKey();
  if (publicKey === null) return null;
  const [device] = await Promise.all([openPush(), loadMessages(i18n, ["notifications"])]);
  return ({ order }) => <NotificationsCard order={order} device={device} publicKey={publicKey} />;
}
