import { useTranslation } from "react-i18next";
import type { WebhookDelivery } from "#contract/webhooks.ts";
import { useOnline } from "../../../../shared/browser/connectivity.ts";
import { formatDateTime } from "../../../../shared/format/format-time.ts";
import { useLocale } from "../../../../shared/i18n/index.ts";
import { notify, SHORT_TIMEOUT_MS } from "../../../../shared/page/notifications.ts";
import { useTimeZone } from "../../../../shared/page/use-hydrated.ts";
import { Badge, type BadgeProps, Button, ForeignText } from "../../../../shared/ui/index.ts";
import { useRequest } from "../../../../shared/account/use-request.ts";
import { redeliver } from "./api.ts";

type DeliveryRowProps = {
  readonly webhookId: string;
  readonly delivery: WebhookDelivery;
  /** It waits to be sent again. */
  readonly onSent: () => void;
};

const TONES: Record<WebhookDelivery["state"], BadgeProps["tone"]> = {
  PENDING: "neutral",
  DELIVERED: "accent",
  DEAD: "danger",
};

/** One delivery: what became of it, why, and a button that sends it again. */
export function DeliveryRow({ webhookId, delivery, onSent }: DeliveryRowProps) {
  const { t } = useTranslation("webhooks");
  const { t: account } = useTranslation("account");
  const locale = useLocale();
  const timeZone = useTimeZone();
  const isOnline = useOnline();
  const request = useRequest();
  const { id, type, orderId, state, createdAt, nextAttemptAt } = delivery;
  const timeOf = (at: string) => formatDateTime(at, locale, { timeZone, precision: "seconds" });
  const send = async () => {
    const isDone = await request.run(() => redeliver(webhookId, id));
    if (isDone) onSent();
    if (isDone === false) notify({ type: "error", message: account("keys.main_error"), timeoutMs: SHORT_TIMEOUT_MS });
  };
  return (
    <li className="w-webhooks__delivery">
      <div className="w-keys__text">
        <p className="w-webhooks__head">
          <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>
          <span>{type === "test" ? t("type.test") : t("type.order")}</span>
        </p>
        {orderId === null ? null : (
          <p className="w-webhooks__order w-mono">
            <ForeignText>{orderId}</ForeignText>
          </p>
        )}
        <p className="w-profile__row-note w-number">
          <time dateTime={createdAt}>{timeOf(createdAt)}</time>
        </p>
        <p className="w-profile__row-note">
          <Outcome delivery={delivery} />
          {state === "PENDING" && nextAttemptAt !== null ? ` ${t("next", { time: timeOf(nextAttemptAt) })}` : null}
        </p>
      </div>
      <Button
        variant="outline"
        disabled={!isOnline || state === "PENDING"}
        busyLabel={request.isPending ? t("sending") : null}
        onClick={() => void send()}
      >
        {t("again")} <span className="w-visually-hidden">{timeOf(createdAt)}</span>
      </Button>
    </li>
  );
}

/** How often it was tried, and what the receiver said at last. */
function Outcome({ delivery: { attempts, lastStatus, lastError } }: Pick<DeliveryRowProps, "delivery">) {
  const { t } = useTranslation("webhooks");
  if (attempts === 0) return t("untried");
  const tried = t("attempts", { count: attempts });
  if (lastStatus !== null) return `${tried} ${t("status", { status: lastStatus })}`;
  return lastError === null ? tried : `${tried} ${t("unanswered")}`;
}
