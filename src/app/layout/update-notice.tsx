import { useUpdate } from "../../pwa/update-store.ts";
import { optional } from "../../shared/page/optional.tsx";
import { SnackbarRegion } from "../../shared/ui/index.ts";

const load = async () => (await import("./update-toast.tsx")).UpdateToast;
const UpdateToast = optional("the offer of an update", load);

/** Loads the toast before there is a new build: afterwards its chunk may be gone from the server. */
export const preloadUpdateToast = load;

/** Offers a new build once there is one. */
export function UpdateNotice({ isReloadBlocked }: { readonly isReloadBlocked: boolean }) {
  const update = useUpdate();
  return (
    <SnackbarRegion role="status">
      {update === null ? null : <UpdateToast update={update} isReloadBlocked={isReloadBlocked} />}
    </SnackbarRegion>
  );
}
