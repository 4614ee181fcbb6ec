import * as z from "zod/mini";
import { emptyAnswerSchema } from "../accounts/account.ts";
import {
  createWebhookBodySchema,
  webhookDeliveriesQuerySchema,
  webhookDeliveriesSchema,
  webhookDeliveryParamsSchema,
  webhookParamsSchema,
  webhooksSchema,
  webhookWithSecretSchema,
} from "../webhooks.ts";
import type { Call } from "./call.ts";

/** What the partner API does with webhooks (contract §13), for whoever is signed in. */
export const webhookCalls = {
  webhooks: {
    method: "GET",
    path: "/api/v1/users/webhooks",
    summary: "The account's receivers of webhooks, the newest first",
    timeoutMs: 15_000,
    answer: webhooksSchema,
    isForSignedIn: true,
  },
  createWebhook: {
    method: "POST",
    path: "/api/v1/users/create-webhook",
    summary: "Adds a receiver of webhooks, and answers the secret that its deliveries are signed with, once",
    timeoutMs: 15_000,
    body: createWebhookBodySchema,
    answer: webhookWithSecretSchema,
    successStatus: 201,
    isForSignedIn: true,
    needsReauthentication: true,
  },
  deleteWebhook: {
    method: "POST",
    path: "/api/v1/users/delete-webhook",
    summary: "Deletes a receiver of webhooks",
    timeoutMs: 15_000,
    body: webhookParamsSchema,
    answer: emptyAnswerSchema,
    isForSignedIn: true,
  },
  webhookDeliveries: {
    method: "GET",
    path: "/api/v1/users/webhook-deliveries",
    summary: "What was sent to a receiver and is still to be sent, the newest first",
    timeoutMs: 15_000,
    query: z.extend(webhookDeliveriesQuerySchema, webhookParamsSchema.shape),
    answer: webhookDeliveriesSchema,
    isForSignedIn: true,
  },
  testWebhook: {
    method: "POST",
    path: "/api/v1/users/test-webhook",
    summary: "Sends a test to a receiver of webhooks",
    timeoutMs: 15_000,
    body: webhookParamsSchema,
    answer: emptyAnswerSchema,
    isForSignedIn: true,
  },
  redeliverWebhook: {
    method: "POST",
    path: "/api/v1/users/redeliver-webhook",
    summary: "Sends a webhook again, whatever became of it",
    timeoutMs: 15_000,
    body: webhookDeliveryParamsSchema,
    answer: emptyAnswerSchema,
    isForSignedIn: true,
  },
} as const satisfies Record<string, Call>;
