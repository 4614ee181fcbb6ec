import { type RefObject, useEffect, useState } from "react";

/** So far below the screen a part begins to load. */
const AHEAD = "300px";

/** Whether a part is on the screen or about to be; once it was, it stays so. */
export function useSeen(part: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = part.current;
    if (element === null || isSeen) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [part, isSeen]);
  return isSeen;
}
