import type { Transaction } from "kysely";
import type { OrderLocale } from "#contract/order.ts";
import type { Schema } from "../db/schema.ts";
import type { OwnerMessage } from "./message.ts";

export type { OwnerMessage } from "./message.ts";

/**
 * How an owner can be told: the mail of an order with an email, the messenger of one that was made while signed in there, the browsers
 * that subscribed to it.
 */
export const CHANNELS = ["mail", "telegram", "push"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Records what an order's owner is to be told, with whatever decided it; the same thing again records nothing. */
export type TellOwner = (
  transaction: Transaction<Schema>,
  to: { orderId: string; channels: readonly Channel[] },
  messages: OwnerMessage[],
) => Promise<void>;

export type Mail = {
  /** The same whenever the same row is sent, so that a second copy can be recognised. */
  messageId: string;
  orderId: string;
  locale: OrderLocale;
  to: string;
  subject: string;
  text: string;
  html: string;
};

/** What became of a sending. `unknown`: it may or may not have been taken (engine law 6). */
export type Outcome =
  | { kind: "accepted" }
  | {
      kind: "refused";
      isFinal: boolean;
      reason: string;
      /** Before that it would only be refused again. */
      retryAfterSeconds?: number | null;
    }
  | { kind: "unknown"; reason: string };

/** Hands mail over. A failure is an outcome, never an exception. */
export type Mailer = { send(mail: Mail, signal: AbortSignal): Promise<Outcome> };

/** A mail as the sandbox lists it (contract §7). */
export type ListedMail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  locale: string;
  orderId: string;
  at: string;
};
