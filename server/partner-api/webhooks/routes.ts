import type { webhookCalls } from "#contract/calls/webhooks.ts";
import type { Handlers } from "../../base/routes.ts";
import { cursorOf, readCursor } from "../../base/cursor.ts";
import type { Webhooks } from "./webhooks.ts";

/** The calls about webhooks of whoever is signed in. */
export function webhookHandlers(webhooks: Webhooks): Pick<Handlers, keyof typeof webhookCalls> {
  return {
    webhooks: ({ caller }) => webhooks.list(caller.signedIn.userId),
    createWebhook: ({ body, caller, isDirect }) => webhooks.create(caller.signedIn, body.url, isDirect()),
    deleteWebhook: async ({ body, caller }) => {
      await webhooks.remove(caller.signedIn.userId, body.webhookId);
      return {};
    },
    webhookDeliveries: async ({ query, caller }) => {
      const page = { state: query.state ?? null, after: readCursor(query.cursor), limit: Number(query.limit) };
      const { items, next } = await webhooks.deliveries(caller.signedIn.userId, query.webhookId, page);
      return { items, nextCursor: cursorOf(next) };
    },
    testWebhook: async ({ body, caller }) => {
      await webhooks.test(caller.signedIn.userId, body.webhookId);
      return {};
    },
    redeliverWebhook: async ({ body, caller }) => {
      await webhooks.redeliver(caller.signedIn.userId, body.webhookId, body.deliveryId);
      return {};
    },
  };
}
