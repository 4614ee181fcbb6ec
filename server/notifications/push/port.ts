import type { Locale } from "#contract/locale.ts";

/** VAPID keys (RFC 8292); the private one only in processes that send. */
export type PushKeys = { readonly publicKey: string; readonly privateKey: string | null };

/** The push services that may be sent to. */
export type PushServices = { readonly services: readonly string[]; readonly sandboxService: string | null };

/**
 * A browser's push subscription.
 *
 * @internal Exported for its tests.
 */
export type PushTarget = {
  readonly endpoint: string;
  /** Base64url. */
  readonly p256dh: string;
  readonly auth: string;
};

/** How a push ended. */
export type PushResult =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfterSeconds: number | null }
  /** The endpoint is not of an allowed push service, or resolves to a private network. */
  | { readonly kind: "forbidden" }
  /** The service was not reached, so it accepted nothing. */
  | { readonly kind: "unreachable" }
  /** It was reached and may have accepted it. */
  | { readonly kind: "unanswered" };

export type PushUrgency = "normal" | "high";

/** Encrypts a message for one browser (RFC 8291) and sends it to its push service (RFC 8030). Never throws for what a service does. */
export type PushSender = {
  send(
    target: PushTarget,
    /** `topic`: a later message replaces an undelivered one with the same topic. */
    message: { text: string; topic: string; urgency: PushUrgency; ttlSeconds: number },
    signal: AbortSignal,
  ): Promise<PushResult>;
};

export type NewSubscription = PushTarget & { readonly locale: Locale; readonly expiresAt: Date | null };

/** The browsers that are subscribed to orders, and to the account that is signed in there. */
export type PushSubscriptions = {
  /** `full`: the order has the maximum of subscriptions; `ended`: it is in the archive. The same endpoint again replaces the stored one. */
  add(orderId: string, browser: NewSubscription): Promise<"added" | "full" | "ended">;
  /** To the account of a session, for as long as that lasts. No other account's messages come to this browser any more. */
  addToSession(sessionId: string, browser: NewSubscription, asked: "withOrder" | "itself"): Promise<void>;
  /** Of a session's browser; null without one. */
  ofSession(sessionId: string): Promise<string | null>;
  /** Ends a session's subscription; returns whether orders are notified of by the same one. */
  endOfSession(sessionId: string): Promise<boolean>;
  remove(orderId: string, endpoint: string): Promise<void>;
  /** Ends a session's subscription that came with an order's, where the browser is subscribed to no other order. */
  removeFromSession(sessionId: string): Promise<void>;
  /** Deletes a subscription that its push service no longer knows. */
  drop(id: string): Promise<void>;
  /** Deletes expired subscriptions, and those of ended orders and sessions with no message left to send. */
  prune(): Promise<void>;
};
