/** What signs push messages (RFC 8292); the private one only where they are sent. */
export type PushKeys = { readonly publicKey: string; readonly privateKey: string | null };

/** Where a message may be sent. */
export type PushPlaces = { readonly services: readonly string[]; readonly sandboxService: string | null };

/** What a browser gave to be told by. */
export type PushTarget = {
  readonly endpoint: string;
  /** Base64url. */
  readonly p256dh: string;
  readonly auth: string;
};

/** What became of a message; `status` null: no answer came. */
export type PushResult =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfterSeconds: number | null }
  /** The place may not be sent to: not one of the push services, or an address of a private network. */
  | { readonly kind: "forbidden" }
  /** The service was not reached, so it has taken nothing. */
  | { readonly kind: "unreachable" }
  /** It was reached and may have taken it. */
  | { readonly kind: "unanswered" };

export type PushUrgency = "normal" | "high";

/** Encrypts a message for one browser (RFC 8291) and hands it to its push service (RFC 8030). Never throws for what a service does. */
export type PushSender = {
  send(
    target: PushTarget,
    /** `topic`: a later message takes the place of one with the same that was not delivered yet. */
    message: { text: string; topic: string; urgency: PushUrgency; ttlSeconds: number },
    signal: AbortSignal,
  ): Promise<PushResult>;
};

/** The browsers that are told of orders. */
export type PushSubscriptions = {
  /** False where the order has as many as it may have. The same endpoint again replaces what was known of it. */
  add(
    orderId: string,
    target: PushTarget & { readonly locale: "en" | "ru"; readonly expiresAt: Date | null },
  ): Promise<boolean>;
  remove(orderId: string, endpoint: string): Promise<void>;
  /** The push service knows it no more. */
  drop(id: string): Promise<void>;
  /** Forgets what expired, and what belongs to an order that has ended and whose owner was told. */
  prune(): Promise<void>;
};
