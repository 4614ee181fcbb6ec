import { useSnapshot } from "valtio";
import { notifications } from "../../shared/page/notifications.ts";
import { optional } from "../../shared/page/optional.tsx";
import { useHydrated } from "../../shared/page/use-hydrated.ts";
import { SnackbarRegion } from "../../shared/ui/index.ts";

const load = async () => (await import("./toast.tsx")).Toast;
const Toast = optional("a notification", load);

/** Loads what a notification looks like before there is one: what there is to say may be that the network is gone. */
export const preloadToast = load;

/** The oldest notification in the queue. */
export function NotificationToast() {
  const [first] = useSnapshot(notifications).queue;
  // A notification may come before hydration; the server has rendered none.
  const isHydrated = useHydrated();
  return (
    <SnackbarRegion>
      {first === undefined || !isHydrated ? null : <Toast key={first.id} notification={first} />}
    </SnackbarRegion>
  );
}
