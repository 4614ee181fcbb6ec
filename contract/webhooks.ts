import * as z from "zod/mini";
import { isoTimeSchema } from "./fields.ts";
import { partnerOrderSchema } from "./partner-api.ts";
import { cursorQuerySchema } from "./paging.ts";

// Webhooks of the partner API (contract §13).

/** So many at a time in one account. */
export const MAX_WEBHOOKS = 10;

export const webhookSchema = z.object({ id: z.string(), url: z.string(), createdAt: isoTimeSchema });
export type Webhook = z.infer<typeof webhookSchema>;
export const webhooksSchema = z.array(webhookSchema);
/** The secret is in this answer alone: deliveries are signed with it. */
export const webhookWithSecretSchema = z.extend(webhookSchema, { secret: z.string() });
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;
export const createWebhookBodySchema = z.object({ url: z.string().check(z.minLength(1), z.maxLength(2048)) });
export const webhookParamsSchema = z.object({ webhookId: z.guid() });
export const webhookDeliveryParamsSchema = z.object({ webhookId: z.guid(), deliveryId: z.guid() });

const DELIVERY_STATES = ["PENDING", "DELIVERED", "DEAD"] as const;

/** `DEAD` was tried for 72 h; it can be sent again by hand. */
export const webhookDeliverySchema = z.object({
  id: z.string(),
  type: z.enum(["order.updated", "test"]),
  /** Null of a test. */
  orderId: z.nullable(z.string()),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  createdAt: isoTimeSchema,
  lastAttemptAt: z.nullable(isoTimeSchema),
  /** The HTTP status of the last answer; null where none came. */
  lastStatus: z.nullable(z.int()),
  lastError: z.nullable(z.string()),
  nextAttemptAt: z.nullable(isoTimeSchema),
  deliveredAt: z.nullable(isoTimeSchema),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
export const webhookDeliveriesQuerySchema = z.object({
  state: z.optional(z.enum(DELIVERY_STATES)),
  ...cursorQuerySchema.shape,
});
export const webhookDeliveriesSchema = z.object({
  items: z.array(webhookDeliverySchema),
  nextCursor: z.nullable(z.string()),
});
/** What a receiver is sent: its order as it is when the delivery is made. */
export const orderUpdatedSchema = z.object({
  id: z.string(),
  type: z.literal("order.updated"),
  createdAt: isoTimeSchema,
  data: partnerOrderSchema,
});
/** The same without an order, to try a receiver. */
export const webhookTestSchema = z.object({
  id: z.string(),
  type: z.literal("test"),
  createdAt: isoTimeSchema,
  data: z.object({}),
});
export const webhookQueuedSchema = z.object({});
