import { useEffect, useRef, useState } from "react";
import { useSnapshot } from "valtio";
import { useTranslation } from "react-i18next";
import { useHydrated } from "../../shared/page/use-hydrated.ts";
import { dismiss, type Notification, notifications } from "../../shared/page/notifications.ts";
import { Icon, IconButton } from "../../shared/ui/index.ts";
import "./toast.css";

/** The oldest message that waits; its time stands still while it is pointed at or holds the focus. */
export function NotificationToast() {
  const [first] = useSnapshot(notifications).queue;
  // Something may be told before the page has come to life: the server has rendered none of it.
  const isHydrated = useHydrated();
  return (
    <div aria-live="polite">
      {first === undefined || !isHydrated ? null : <Toast key={first.id} notification={first} />}
    </div>
  );
}

function Toast({ notification }: { readonly notification: Notification }) {
  const { t } = useTranslation("common");
  const { id, type, message, traceId, timeoutMs } = notification;
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const cameFrom = useRef<EventTarget | null>(null);
  useTimer(timeoutMs, isPointedAt || hasFocus, () => dismiss(id));
  const close = () => {
    dismiss(id);
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  };
  return (
    <div
      className="w-toast"
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={(event) => {
        cameFrom.current ??= event.relatedTarget;
        setFocus(true);
      }}
      onBlur={() => setFocus(false)}
    >
      <Icon name={type === "error" ? "error" : "check"} />
      <div className="w-toast__text">
        <p className="w-toast__title">{message}</p>
        {traceId === null ? null : <p className="w-toast__detail w-mono">{t("notification.code", { traceId })}</p>}
      </div>
      <IconButton label={t("notification.close")} icon={<Icon name="close" />} onClick={close} />
    </div>
  );
}

/** Calls `end` after `ms` in which it was not paused. */
function useTimer(ms: number, isPaused: boolean, end: () => void): void {
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
}
