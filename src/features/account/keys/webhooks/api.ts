import { type Webhook, webhookDeliveriesSchema, webhooksSchema, type WebhookWithSecret } from "#contract/webhooks.ts";
import { type Seen, useSeen } from "../../../../shared/account/last-seen.ts";
import { call } from "../../../../shared/http/http.ts";

export type DeliveryFilter = "ALL" | "DEAD";
type Deliveries = Awaited<ReturnType<typeof readDeliveries>>;

/** While something waits to be sent, the log is read again so often. */
const WAITING_MS = 3_000;

export const useWebhooks = (userId: number): Seen<Webhook[]> =>
  useSeen(userId, "webhooks", webhooksSchema, () => call("webhooks"));

export const createWebhook = (url: string): Promise<WebhookWithSecret> => call("createWebhook", { body: { url } });
export const deleteWebhook = (webhookId: string) => call("deleteWebhook", { body: { webhookId } });
export const testWebhook = (webhookId: string) => call("testWebhook", { body: { webhookId } });
export const redeliver = (webhookId: string, deliveryId: string) =>
  call("redeliverWebhook", { body: { webhookId, deliveryId } });

/** A part of a webhook's log; its first one without a cursor. */
export const readDeliveries = (webhookId: string, filter: DeliveryFilter, cursor: string | null) =>
  call("webhookDeliveries", {
    query: {
      webhookId,
      limit: "10",
      ...(filter === "DEAD" && { state: filter }),
      ...(cursor !== null && { cursor }),
    },
  });

/** The first part of a webhook's log: nothing of it stays on the device. */
export const useDeliveries = (userId: number, webhookId: string, filter: DeliveryFilter): Seen<Deliveries> =>
  useSeen(
    userId,
    `deliveries ${webhookId} ${filter}`,
    webhookDeliveriesSchema,
    () => readDeliveries(webhookId, filter, null),
    {
      isStored: false,
      refreshInterval: (known) => (known?.items.some(({ state }) => state === "PENDING") ? WAITING_MS : 0),
    },
  );
