import { lazy, Suspense } from "react";
import { useUpdate } from "../../pwa/update-store.ts";
import "./toast.css";

const load = async () => ({ default: (await import("./update-toast.tsx")).UpdateToast });
const UpdateToast = lazy(load);

/** Brings the toast's code before there is a new build: afterwards its file may be gone. */
export const preloadUpdateToast = load;

/** Where a new build is told of. */
export function UpdateNotice({ isHeld }: { readonly isHeld: boolean }) {
  const update = useUpdate();
  return (
    <div role="status">
      {update === null ? null : (
        <Suspense>
          <UpdateToast update={update} isHeld={isHeld} />
        </Suspense>
      )}
    </div>
  );
}
