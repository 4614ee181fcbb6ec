import type { ApiKey } from "#contract/accounts/api-keys.ts";
import type { apiKeyCalls } from "#contract/calls/api-keys.ts";
import type { webhookCalls } from "#contract/calls/webhooks.ts";
import type { WebhookDelivery } from "#contract/webhooks.ts";
import type { ExamplesOf } from "./example.ts";
import { AT, ORDER_KEY } from "./exchange.ts";

export const API_KEY: ApiKey = {
  apiId: "5d0b6a1e-3c9f-4f7e-8a42-0c1d2e3f4a5b",
  publicKey: "wk_8f3c1a90be77d2465c0e91f3a7d8b21e",
  name: "Shop checkout",
  whiteListIp: "185.12.44.0/24",
  isActive: true,
  createdAt: AT,
  lastUsedAt: null,
};
const { apiId, publicKey, name, whiteListIp, isActive } = API_KEY;

export const WEBHOOK = {
  id: "f96c5fcd-3ae4-4c63-902a-354b497ccfb7",
  url: "https://shop.example/wherry",
  createdAt: AT,
};
export const WEBHOOK_SECRET = "whs_264YuOyv5vBaisMQ2zoVwTzdn9KPb0xgGB2oClc5IFU";

/** Its receiver has failed three times so far. */
export const DELIVERY: WebhookDelivery = {
  id: "46042e66-734c-4130-9f27-2e82ec16c004",
  type: "order.updated",
  orderId: ORDER_KEY.orderId,
  state: "PENDING",
  attempts: 3,
  createdAt: AT,
  lastAttemptAt: "2026-11-21T12:05:00.000Z",
  lastStatus: 500,
  lastError: "answered 500",
  nextAttemptAt: "2026-11-21T12:20:00.000Z",
  deliveredAt: null,
};
const webhookId = WEBHOOK.id;

/** What an account's own programs need. */
export const programExamples: ExamplesOf<keyof typeof apiKeyCalls | keyof typeof webhookCalls> = {
  listApiKeys: { answer: [API_KEY] },
  generateApiKey: {
    body: { name, whiteListIp },
    answer: {
      apiId,
      publicKey,
      secretKey: "ws_Qm3Vt8ZrYc1LxP0nWb6JsHd9GfKe2TaUoRiE4yNhXqM",
      name,
      whiteListIp,
      isActive,
    },
  },
  updateApiKey: {
    body: { apiId, name, whiteListIp: "", isActive: false },
    answer: { ...API_KEY, whiteListIp: "", isActive: false },
  },
  deleteApiKey: { body: { apiId }, answer: {} },
  webhooks: { answer: [WEBHOOK] },
  createWebhook: { body: { url: WEBHOOK.url }, answer: { ...WEBHOOK, secret: WEBHOOK_SECRET } },
  deleteWebhook: { body: { webhookId }, answer: {} },
  webhookDeliveries: {
    query: { webhookId, state: "PENDING", limit: "20" },
    answer: { items: [DELIVERY], nextCursor: null },
  },
  testWebhook: { body: { webhookId }, answer: {} },
  redeliverWebhook: { body: { webhookId, deliveryId: DELIVERY.id }, answer: {} },
};
