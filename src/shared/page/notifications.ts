import { proxy, useSnapshot } from "valtio";

export type NotificationType = "success" | "error";

export type Notification = {
  readonly id: number;
  readonly type: NotificationType;
  /** In the reader's language. */
  readonly message: string;
  readonly traceId: string | null;
  readonly timeoutMs: number;
};

/** spec §9 */
const DEFAULT_TIMEOUT_MS = 30_000;
/** For errors of keys and email, and what is as short (spec §9). */
export const SHORT_TIMEOUT_MS = 3_000;

type Notifications = {
  /** Shown one at a time, the oldest first. */
  queue: Notification[];
  /** What was said of a field, by the field's id, until the field is changed. */
  atFields: Record<string, string>;
};

/** Only the browser fills it. */
export const notifications = proxy<Notifications>({ queue: [], atFields: {} });
let lastId = 0;

type Given = {
  type: NotificationType;
  message: string;
  traceId?: string | null;
  timeoutMs?: number;
  /** The id of the field that it is about, which shows it too. */
  field?: string;
};

/** Shows a message unless it repeats the last one that still waits or shows (spec §4). */
export function notify({ type, message, traceId = null, timeoutMs = DEFAULT_TIMEOUT_MS, field }: Given): void {
  if (field !== undefined) notifications.atFields[field] = message;
  const last = notifications.queue.at(-1);
  if (last?.type === type && last.message === message) return;
  lastId += 1;
  notifications.queue.push({ id: lastId, type, message, traceId, timeoutMs });
}

export function dismiss(id: number): void {
  notifications.queue = notifications.queue.filter((notification) => notification.id !== id);
}

/**
 * What a notification has said of a field; null for nothing. The field shows it as its error, which is read with the field: it is
 * announced by the notification alone.
 */
export const useFieldNotification = (field: string): string | null =>
  useSnapshot(notifications).atFields[field] ?? null;

/** Takes the message away from a field that was changed or left. */
export function clearFieldNotification(field: string): void {
  delete notifications.atFields[field];
}
