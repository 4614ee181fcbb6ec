import { lazy, Suspense } from "react";
import { useOnline } from "../../shared/browser/connectivity.ts";

const SavedOrderLink = lazy(async () => {
  try {
    return { default: (await import("./saved-order-link.tsx")).SavedOrderLink };
  } catch (error) {
    console.debug("the code that shows saved orders isn't on this device", error);
    return { default: () => null };
  }
});

/** Offline, below the calculator: a link to the newest unfinished order on this device. */
export const SavedOrder = () =>
  useOnline() ? null : (
    <Suspense>
      <SavedOrderLink />
    </Suspense>
  );
