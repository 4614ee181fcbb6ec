import type { Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import type { Log } from "../base/logging/log.ts";
import type { OrderService } from "../orders/port.ts";
import { createAssets } from "./assets.ts";
import { presentPartnerOrder } from "./orders.ts";
import { startWebhooks, type WebhookRunner } from "./webhooks/runner.ts";
import { createWebhookSender } from "./webhooks/sender.ts";
import { webhookSecrets } from "./webhooks/webhooks.ts";

export { addPartnerRoutes } from "./routes.ts";
export { webhookHandlers } from "./webhooks/routes.ts";
export { createUsedSignatures } from "./signing/used-signatures.ts";
export { enqueueWebhooks } from "./webhooks/store.ts";
export { createWebhooks } from "./webhooks/webhooks.ts";

export type WebhookServices = {
  database: Database;
  catalogue: Catalogue;
  readers: Parameters<typeof createAssets>[1];
  orderService: Pick<OrderService, "partnerOrder">;
  config: { sandbox: boolean; apiKeysKey: Buffer | null };
  log: Log;
};

/** Sends webhooks about partners' orders until it is stopped. */
export function runWebhooks({
  database,
  catalogue,
  readers,
  orderService,
  config,
  log,
}: WebhookServices): WebhookRunner {
  const assets = createAssets(catalogue, readers);
  return startWebhooks({
    database,
    log,
    send: createWebhookSender({ isSandbox: config.sandbox }),
    openSecret: webhookSecrets(database, config.apiKeysKey),
    dataOf: async (userId, orderId) => {
      const found = await orderService.partnerOrder(userId, orderId);
      return found && presentPartnerOrder(assets, found);
    },
  });
}
