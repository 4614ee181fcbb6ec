import { lazy, Suspense } from "react";
import { useUpdate } from "../../pwa/update-store.ts";
import { SnackbarRegion } from "../../shared/ui/index.ts";

const load = async () => ({ default: (await import("./update-toast.tsx")).UpdateToast });
const UpdateToast = lazy(load);

/** Loads the toast before there is a new build: afterwards its chunk may be gone from the server. */
export const preloadUpdateToast = load;

/** Offers a new build once there is one. */
export function UpdateNotice({ isReloadBlocked }: { readonly isReloadBlocked: boolean }) {
  const update = useUpdate();
  return (
    <SnackbarRegion role="status">
      {update === null ? null : (
        <Suspense>
          <UpdateToast update={update} isReloadBlocked={isReloadBlocked} />
        </Suspense>
      )}
    </SnackbarRegion>
  );
}
