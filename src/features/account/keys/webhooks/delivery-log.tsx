import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WebhookDelivery } from "#contract/webhooks.ts";
import { RetryButton } from "../../../../shared/account/seen-note.tsx";
import { useOnline } from "../../../../shared/browser/connectivity.ts";
import { Button, SegmentedControl, Skeleton } from "../../../../shared/ui/index.ts";
import { useRequest } from "../../../../shared/account/use-request.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import { type DeliveryFilter, readDeliveries, useDeliveries } from "./api.ts";

type DeliveryLogProps = {
  readonly userId: number;
  readonly webhookId: string;
};

/** What a receiver was sent and is still to be sent, the newest first; or what was given up. */
export function DeliveryLog({ userId, webhookId }: DeliveryLogProps) {
  const { t } = useTranslation("webhooks");
  const [filter, setFilter] = useState<DeliveryFilter>("ALL");
  return (
    <div className="w-webhooks__deliveries">
      <SegmentedControl
        name={`deliveries-${webhookId}`}
        label={t("show")}
        options={[
          { value: "ALL", label: t("all") },
          { value: "DEAD", label: t("dead") },
        ]}
        value={filter}
        onValue={setFilter}
      />
      <Deliveries key={filter} userId={userId} webhookId={webhookId} filter={filter} />
    </div>
  );
}

function Deliveries({ userId, webhookId, filter }: DeliveryLogProps & { readonly filter: DeliveryFilter }) {
  const { t } = useTranslation("webhooks");
  const isOnline = useOnline();
  const request = useRequest();
  const first = useDeliveries(userId, webhookId, filter);
  const [more, setMore] = useState<{ items: WebhookDelivery[]; nextCursor: string | null } | null>(null);
  const { reload } = first;
  if (first.data === undefined)
    return first.hasFailed ? (
      <div className="w-webhooks__note">
        <p>{t("failed")}</p>
        <RetryButton of={[first]} />
      </div>
    ) : (
      <Skeleton width="100%" height={96} />
    );
  const items = [...first.data.items, ...(more?.items ?? [])];
  const nextCursor = more === null ? first.data.nextCursor : more.nextCursor;
  const loadMore = () =>
    request.run(async () => {
      const next = await readDeliveries(webhookId, filter, nextCursor);
      setMore({ items: [...(more?.items ?? []), ...next.items], nextCursor: next.nextCursor });
    });
  if (items.length === 0) return <p className="w-webhooks__note">{t(filter === "DEAD" ? "noneDead" : "noneSent")}</p>;
  return (
    <>
      <ul>
        {items.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            webhookId={webhookId}
            delivery={delivery}
            onSent={() => {
              // It may stand on a later page, which is read anew when it is asked for.
              setMore(null);
              void reload();
            }}
          />
        ))}
      </ul>
      {nextCursor === null ? null : (
        <Button
          variant="plain"
          disabled={!isOnline}
          busyLabel={request.isPending ? t("loading") : null}
          onClick={() => void loadMore()}
        >
          {t("more")}
        </Button>
      )}
      {request.failure === null ? null : (
        <p className="w-webhooks__note" role="alert">
          {request.failure}
        </p>
      )}
    </>
  );
}
