import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Webhook } from "#contract/webhooks.ts";
import { useReloadSeen } from "../../../../shared/account/last-seen.ts";
import { useOnline } from "../../../../shared/browser/connectivity.ts";
import { notify, SHORT_TIMEOUT_MS } from "../../../../shared/page/notifications.ts";
import { AccountIcon, Button, ForeignText, Icon } from "../../../../shared/ui/index.ts";
import { useRequest } from "../../../../shared/account/use-request.ts";
import { DeliveryLog } from "./delivery-log.tsx";
import { testWebhook } from "./api.ts";

type WebhookCardProps = {
  readonly userId: number;
  readonly webhook: Webhook;
  readonly onDelete: () => void;
};

export function WebhookCard({ userId, webhook: { id, url }, onDelete }: WebhookCardProps) {
  const { t } = useTranslation("webhooks");
  const { t: account } = useTranslation("account");
  const isOnline = useOnline();
  const request = useRequest();
  const [isOpen, setOpen] = useState(false);
  const reloadSeen = useReloadSeen();
  const test = async () => {
    const isDone = await request.run(() => testWebhook(id));
    if (isDone === null) return;
    const message = isDone ? t("testSent") : account("keys.main_error");
    notify({ type: isDone ? "success" : "error", message, timeoutMs: SHORT_TIMEOUT_MS });
    if (!isDone) return;
    setOpen(true);
    await reloadSeen();
  };
  const named = <span className="w-visually-hidden">{url}</span>;
  return (
    <li className="w-keys__key">
      <div className="w-keys__head">
        <span className="w-profile__tile">
          <Icon name="globe" />
        </span>
        <p className="w-keys__text w-mono">
          <ForeignText>{url}</ForeignText>
        </p>
      </div>
      <div className="w-keys__actions">
        <Button
          variant="soft"
          stretched
          disabled={!isOnline}
          busyLabel={request.isPending ? t("sending") : null}
          onClick={() => void test()}
        >
          {t("test")} {named}
        </Button>
        <Button variant="danger" stretched icon={<AccountIcon name="trash" size={18} />} onClick={onDelete}>
          {account("keys.deleteOf")} {named}
        </Button>
      </div>
      <details className="w-webhooks__log" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {t("log")} {named}
        </summary>
        {isOpen ? <DeliveryLog userId={userId} webhookId={id} /> : null}
      </details>
    </li>
  );
}
