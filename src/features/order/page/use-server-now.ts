import { useEffect, useState } from "react";
import { useAnsweredOffset } from "../../../shared/http/server-clock.ts";
import { usePageNow } from "../../../shared/page/page-context.ts";

const LOOK_MS = 250;

/** How far the server's clock is ahead of this device's, in milliseconds, by the last answer, else by the page that it rendered. */
export function useServerOffset(): number {
  const pageNow = usePageNow();
  const [ofPage] = useState(() => Date.parse(pageNow) - Date.now());
  return useAnsweredOffset() ?? ofPage;
}

/** The longest wait of a browser's timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The server's clock in milliseconds; moves once a second while `isTicking`, else at `movesAt` alone, and never later than it really is. */
export function useServerNow(offset: number, isTicking: boolean, movesAt: string | null = null): number {
  const pageNow = usePageNow();
  const [now, setNow] = useState(() => Date.parse(pageNow));
  useEffect(() => {
    const tick = () => setNow(Math.ceil((Date.now() + offset) / 1000) * 1000);
    if (!isTicking) {
      if (movesAt === null) return undefined;
      const wait = Date.parse(movesAt) - Date.now() - offset;
      const timer = setTimeout(tick, Math.min(Math.max(0, wait), MAX_TIMER_MS));
      return () => clearTimeout(timer);
    }
    tick();
    const timer = setInterval(tick, LOOK_MS);
    return () => clearInterval(timer);
  }, [offset, isTicking, movesAt]);
  return now;
}
