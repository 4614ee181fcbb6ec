import { type RefObject, useEffect, useRef } from "react";
import { NotificationToast } from "./notification-toast.tsx";
import { UpdateNotice } from "./update-notice.tsx";

/** Notifications and the offer of an update, over the page but never over its filled button. */
export function Toasts({ isReloadBlocked }: { readonly isReloadBlocked: boolean }) {
  const region = useRef<HTMLDivElement>(null);
  useRoomForAction(region);
  return (
    <div ref={region} className="w-frame__toasts" data-above-bottom-bar>
      <NotificationToast />
      <UpdateNotice isReloadBlocked={isReloadBlocked} />
    </div>
  );
}

const GAP_PX = 12;

/** Lifts the toasts above the button while they would cover it: it scrolls with the page where it isn't pinned. */
function useRoomForAction(region: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = region.current;
    if (element === null || typeof ResizeObserver === "undefined") return undefined;
    let lift = 0;
    const place = () => {
      const next = neededLift(element, lift);
      if (next === lift) return;
      lift = next;
      element.style.translate = `0 ${-lift}px`;
    };
    const observer = new ResizeObserver(place);
    for (const observed of [element, document.body]) observer.observe(observed);
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal };
    element.addEventListener("animationend", place, options);
    for (const event of ["scroll", "resize"]) addEventListener(event, place, options);
    return () => {
      observer.disconnect();
      stop.abort();
    };
  }, [region]);
}

/** How far up the toasts must move from where their styles place them, in pixels. */
function neededLift(region: HTMLElement, lift: number): number {
  const toasts = [...region.querySelectorAll(".w-toast")].map((toast) => toast.getBoundingClientRect());
  if (toasts.length === 0) return 0;
  const bottom = Math.max(...toasts.map((toast) => toast.bottom)) + lift;
  const top = Math.min(...toasts.map((toast) => toast.top)) + lift;
  const covered = [...document.querySelectorAll(".w-frame__main .w-action .w-button")]
    .map((button) => button.getBoundingClientRect())
    .filter((button) => button.height > 0 && button.bottom > top && button.top < bottom)
    .filter((button) => toasts.some((toast) => button.right > toast.left && button.left < toast.right));
  return Math.max(0, ...covered.map((button) => Math.ceil(bottom - button.top + GAP_PX)));
}
