import { useEffect, useRef, useState } from "react";
import { useSnapshot } from "valtio";
import { useT } from "../../lib/i18n/index.ts";
import { dismiss, type Notification, notifications } from "../../lib/notifications.ts";
import { Icon, IconButton } from "../../ui/index.ts";
import "./toast.css";

/** The oldest message that waits; its time stands still while it is pointed at or holds the focus. */
export function NotificationToast() {
  const [first] = useSnapshot(notifications).queue;
  return <div aria-live="polite">{first === undefined ? null : <Toast key={first.id} notification={first} />}</div>;
}

function Toast({ notification }: { readonly notification: Notification }) {
  const t = useT("common");
  const { id, type, message, traceId, timeoutMs } = notification;
  const pause = useTimer(timeoutMs, () => dismiss(id));
  return (
    <div className="w-toast" onPointerEnter={pause.on} onPointerLeave={pause.off} onFocus={pause.on} onBlur={pause.off}>
      <Icon name={type === "error" ? "error" : "check"} />
      <div className="w-toast__text">
        <p className="w-toast__title">{message}</p>
        {traceId === null ? null : <p className="w-toast__detail w-mono">{t("notification.code", { traceId })}</p>}
      </div>
      <IconButton label={t("notification.close")} icon={<Icon name="close" />} onClick={() => dismiss(id)} />
    </div>
  );
}

/** Calls `end` after `ms` in which it was not paused. */
function useTimer(ms: number, end: () => void): { on: () => void; off: () => void } {
  const [isPaused, setPaused] = useState(false);
  const left = useRef(ms);
  const latest = useRef(end);
  useEffect(() => {
    latest.current = end;
  });
  useEffect(() => {
    if (isPaused) return undefined;
    const startedAt = performance.now();
    const timer = setTimeout(() => latest.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - startedAt;
    };
  }, [isPaused]);
  return { on: () => setPaused(true), off: () => setPaused(false) };
}
