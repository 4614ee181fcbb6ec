import { proxy } from "valtio";

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

/** Shown one at a time, the oldest first. Only the browser fills it. */
export const notifications = proxy<{ queue: Notification[] }>({ queue: [] });
let lastId = 0;

type Given = { type: NotificationType; message: string; traceId?: string | null; timeoutMs?: number };

/** Shows a message unless it repeats the last one that still waits or shows (spec §4). */
export function notify({ type, message, traceId = null, timeoutMs = DEFAULT_TIMEOUT_MS }: Given): void {
  const last = notifications.queue.at(-1);
  if (last?.type === type && last.message === message) return;
  lastId += 1;
  notifications.queue.push({ id: lastId, type, message, traceId, timeoutMs });
}

export function dismiss(id: number): void {
  notifications.queue = notifications.queue.filter((notification) => notification.id !== id);
}
