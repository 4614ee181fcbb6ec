import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { dismiss, type Notification } from "../../shared/page/notifications.ts";
import { Icon, IconButton, Snackbar } from "../../shared/ui/index.ts";

/** A notification on the screen; its time is paused while it is hovered or focused. */
export function Toast({ notification }: { readonly notification: Notification }) {
  const { t } = useTranslation("common");
  const { id, type, message, traceId, timeoutMs } = notification;
  const [isHovered, setHovered] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const focusedBefore = useRef<EventTarget | null>(null);
  useTimer(timeoutMs, isHovered || hasFocus, () => dismiss(id));
  const close = () => {
    dismiss(id);
    if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
  };
  return (
    <Snackbar
      before={<Icon name={type === "error" ? "error" : "check"} />}
      after={<IconButton label={t("notification.close")} icon={<Icon name="close" />} onClick={close} />}
      title={message}
      detail={traceId === null ? null : <span className="w-mono">{t("notification.code", { traceId })}</span>}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={(event) => {
        focusedBefore.current ??= event.relatedTarget;
        setFocus(true);
      }}
      onBlur={() => setFocus(false)}
    />
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
