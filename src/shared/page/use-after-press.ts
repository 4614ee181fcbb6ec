import { useEffect, useState } from "react";
import { afterPress } from "./after-press.ts";

/** True once it is wanted and no press is under way: what makes the page taller at any moment must not take a click away. */
export function useAfterPress(isWanted: boolean): boolean {
  const [isReady, setReady] = useState(isWanted);
  useEffect(() => {
    if (!isWanted) {
      setReady(false);
      return;
    }
    let isLeft = false;
    afterPress(() => {
      if (!isLeft) setReady(true);
    });
    return () => {
      isLeft = true;
    };
  }, [isWanted]);
  return isReady && isWanted;
}
