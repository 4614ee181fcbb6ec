import { proxy, useSnapshot } from "valtio";

type NotificationType = "success" | "error";

export type Notification = {
  readonly id: number;
  readonly type: NotificationType;
  /** In the user's language. */
  readonly message: string;
  readonly traceId: string | null;
  readonly timeoutMs: number;
};

/** spec §9 */
const DEFAULT_TIMEOUT_MS = 30_000;
/** For key and email errors and other short messages (spec §9). */
export const SHORT_TIMEOUT_MS = 3_000;

type Notifications = {
  /** Shown one at a time, the oldest first; what went well gives way to whatever comes after it. */
  queue: Notification[];
  /** Messages about fields, by the field's id, until the field changes. */
  byField: Record<string, string>;
};

/** Filled in the browser only. */
export const notifications = proxy<Notifications>({ queue: [], byField: {} });
let lastId = 0;

type NewNotification = {
  type: NotificationType;
  message: string;
  traceId?: string | null;
  timeoutMs?: number;
  /** The id of the field that it is about; the field shows it too. */
  field?: string;
};

/** Shows a message unless it equals the last one in the queue (spec §4). */
export function notify({
  type,
  message,
  traceId = null,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  field,
}: NewNotification): void {
  if (field !== undefined) notifications.byField[field] = message;
  const last = notifications.queue.at(-1);
  if (last?.type === type && last.message === message) return;
  lastId += 1;
  const waiting = notifications.queue.filter((one) => one.type === "error");
  notifications.queue = [...waiting, { id: lastId, type, message, traceId, timeoutMs }];
}

/** Takes a message off the queue; the text at its field stays. */
export function dismiss(id: number): void {
  notifications.queue = notifications.queue.filter((notification) => notification.id !== id);
}

/**
 * The message about a field; null if there is none. The field shows it as its error description; only the notification is
 * announced.
 */
export const useFieldNotification = (field: string): string | null => useSnapshot(notifications).byField[field] ?? null;

/** Removes the message of a field that was changed or left. */
export function clearFieldNotification(field: string): void {
  delete notifications.byField[field];
}
