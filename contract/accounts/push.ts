import * as z from "zod/mini";
import { orderIdSchema } from "../fields.ts";
import { LOCALES, splitLocale } from "../locale.ts";

/** The server's VAPID key (RFC 8292), as a browser's `applicationServerKey`; null: push notifications are off. */
export const pushKeySchema = z.object({ publicKey: z.nullable(z.string()) });

/** An uncompressed point of P-256, and 16 bytes, in base64url without padding (RFC 8291 §2). */
const WRONG_KEY = "must be a key that a browser gave";
const pointSchema = z.string().check(z.regex(/^B[A-Za-z0-9_-]{86}$/, WRONG_KEY));
const secretSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/, WRONG_KEY));

const whichSchema = {
  orderId: z.string().check(z.maxLength(512)),
  destinationAddress: z.string().check(z.maxLength(512)),
  endpoint: z.string().check(z.maxLength(2048)),
};

/** What a browser's push manager gives. */
const browserSchema = {
  endpoint: whichSchema.endpoint,
  keys: z.object({ p256dh: pointSchema, auth: secretSchema }),
  /** Milliseconds since 1970, as browsers say it. */
  expirationTime: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(8_640_000_000_000_000)))),
  locale: z.enum(LOCALES),
};

/** For an order that both parts of its link open. */
export const pushSubscribeBodySchema = z.object({ ...whichSchema, ...browserSchema });

export const pushUnsubscribeBodySchema = z.object(whichSchema);

/** `isAccountSubscribed`: the same browser is still notified of the account that is signed in there. */
export const pushAnswerSchema = z.object({
  orderId: orderIdSchema,
  isSubscribed: z.boolean(),
  isAccountSubscribed: z._default(z.boolean(), false),
});

/** For the account that is signed in there. */
export const accountPushBodySchema = z.object(browserSchema);
export type AccountPushBody = z.infer<typeof accountPushBodySchema>;
/** `endpoint` is that of this session's browser; null: it is not notified. */
export const accountPushSchema = z.object({ publicKey: z.nullable(z.string()), endpoint: z.nullable(z.string()) });
/** `isEndpointUsed`: orders are still notified of by the same subscription. */
export const accountPushEndedSchema = z.object({ isEndpointUsed: z.boolean() });

/**
 * The payload of a notification, encrypted for one device: texts and the order's reference, which does not open the
 * order (contract §3).
 */
export const pushNotificationSchema = z.object({
  title: z.string(),
  body: z.string(),
  /** The language of its texts. */
  lang: z.string(),
  /** Replaces an earlier notification of the same order, and a second copy of itself. */
  tag: z.string(),
  reference: z.string(),
  /** The page of an account that it opens, where it is not about an order; `reference` is then empty. */
  path: z.optional(z.string().check(z.refine((path) => splitLocale(path).path.startsWith("/profile/")))),
  /** Stops the refund that the notification tells of; it opens nothing. */
  stopToken: z.optional(z.string()),
});
export type PushNotification = z.infer<typeof pushNotificationSchema>;
