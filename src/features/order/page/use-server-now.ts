import { useEffect, useState } from "react";
import { usePageNow } from "../../../shared/page/page-context.ts";

const LOOK_MS = 250;

/** How far the server's clock is ahead of this device's, in milliseconds, by the time that came with the page. */
export function useServerOffset(): number {
  const pageNow = usePageNow();
  const [offset] = useState(() => Date.parse(pageNow) - Date.now());
  return offset;
}

/** The server's clock in milliseconds; moves once a second while `isTicking`, and never later than it really is. */
export function useServerNow(offset: number, isTicking: boolean): number {
  const pageNow = usePageNow();
  const [now, setNow] = useState(() => Date.parse(pageNow));
  useEffect(() => {
    if (!isTicking) return undefined;
    const tick = () => setNow(Math.ceil((Date.now() + offset) / 1000) * 1000);
    tick();
    const timer = setInterval(tick, LOOK_MS);
    return () => clearInterval(timer);
  }, [offset, isTicking]);
  return now;
}
