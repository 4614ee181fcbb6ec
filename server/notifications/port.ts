import type { Kysely, Transaction } from "kysely";
import type { Locale } from "#contract/locale.ts";
import type { Schema } from "../db/schema.ts";
import type { OrderMessage } from "./message.ts";

export type { OrderMessage } from "./message.ts";

/**
 * How a customer is notified: by mail where the order has an email, by Telegram where it was made while signed in there, by push in the
 * browsers that subscribed to it.
 */
export const CHANNEL_NAMES = ["mail", "telegram", "push"] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];

/** Stores messages in the transaction that caused them; the same message again stores nothing. */
export type EnqueueMessages = (
  transaction: Transaction<Schema>,
  to: { orderId: string; channels: readonly ChannelName[] },
  messages: OrderMessage[],
) => Promise<void>;

/** Whether a token was sent for this order to stop its refund. */
export type IsStopToken = (db: Kysely<Schema>, orderId: string, token: string) => Promise<boolean>;

export type Mail = {
  /** The same whenever the same row is sent, so that a second copy can be recognised. */
  messageId: string;
  /** Null where it is about an account. */
  orderId: string | null;
  locale: Locale;
  to: string;
  /** The person who wrote it, where it is from one. */
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  attachment?: { name: string; type: string; content: Uint8Array };
};

/** How a delivery ended. `unknown`: it may or may not have been accepted (engine law 6). */
export type DeliveryResult =
  | { kind: "accepted" }
  | {
      kind: "refused";
      isFinal: boolean;
      reason: string;
      /** An earlier attempt would be refused again. */
      retryAfterSeconds?: number | null;
    }
  | { kind: "unknown"; reason: string };

/** Sends mail. A failure is a result, never an exception. */
export type Mailer = { send(mail: Mail, signal: AbortSignal): Promise<DeliveryResult> };

/** A mail as the sandbox lists it (contract §7). */
export type ListedMail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  locale: string;
  orderId: string | null;
  at: string;
};
