import { type RefObject, useEffect, useRef } from "react";
import { useSnapshot } from "valtio";
import { useUpdate } from "../../pwa/update-store.ts";
import { abortOnCleanup } from "../../shared/page/abort-on-cleanup.ts";
import { notifications } from "../../shared/page/notifications.ts";
import { NotificationToast, preloadToast } from "./notification-toast.tsx";
import { optional } from "../../shared/page/optional.tsx";
import { SnackbarRegion } from "../../shared/ui/index.ts";

const load = async () => (await import("./update-toast.tsx")).UpdateToast;
const UpdateToast = optional("the offer of an update", load);

/**
 * Loads the toast before there is a new build: afterwards its chunk may be gone from the server.
 *
 * @internal Exported for its tests.
 */
export const preloadUpdateToast = load;

/**
 * Offers a new build once there is one.
 *
 * @internal Exported for its tests.
 */
export function UpdateNotice({ isReloadBlocked }: { readonly isReloadBlocked: boolean }) {
  const update = useUpdate();
  return (
    <SnackbarRegion role="status">
      {update === null ? null : <UpdateToast update={update} isReloadBlocked={isReloadBlocked} />}
    </SnackbarRegion>
  );
}

const loadRoom = () => import("./room-for-action.ts");

/** Loads the toasts before there is one: what there is to say may be that the network, or the build, is gone. */
export const preloadToasts = (): Promise<unknown> => Promise.all([preloadToast(), preloadUpdateToast(), loadRoom()]);

/** Notifications and the offer of an update, over the page but never over its filled button. */
export function Toasts({ isReloadBlocked }: { readonly isReloadBlocked: boolean }) {
  const region = useRef<HTMLDivElement>(null);
  const isUsed = useSnapshot(notifications).queue.length > 0;
  const isOffered = useUpdate() !== null;
  useRoomForAction(region, isUsed || isOffered);
  return (
    <div ref={region} className="w-frame__toasts" data-above-bottom-bar>
      <NotificationToast />
      <UpdateNotice isReloadBlocked={isReloadBlocked} />
    </div>
  );
}

function useRoomForAction(region: RefObject<HTMLDivElement | null>, isUsed: boolean): void {
  useEffect(() => {
    if (!isUsed) return undefined;
    return abortOnCleanup(async (signal) => {
      try {
        const { keepRoomForAction } = await loadRoom();
        if (region.current !== null && !signal.aborted) keepRoomForAction(region.current, signal);
      } catch (error) {
        console.debug("a toast may cover a button: what keeps it off can't be loaded now", error);
      }
    });
  }, [region, isUsed]);
}
