import { useEffect, useState } from "react";
import { abortOnCleanup } from "./abort-on-cleanup.ts";
import { afterPress } from "./after-press.ts";

/** True once it is wanted and no press is under way: what makes the page taller at any moment must not take a click away. */
export function useAfterPress(isWanted: boolean): boolean {
  const [isReady, setReady] = useState(isWanted);
  useEffect(() => {
    if (!isWanted) return setReady(false);
    return abortOnCleanup((signal) =>
      afterPress(() => {
        if (!signal.aborted) setReady(true);
      }),
    );
  }, [isWanted]);
  return isReady && isWanted;
}
