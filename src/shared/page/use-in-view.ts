import { type RefObject, useEffect, useState } from "react";

/** So far below the screen a part begins to load. */
const AHEAD = "300px";

/** Whether a part is on the screen or about to be; once it was, it stays so. */
export function useInView(part: RefObject<Element | null>): boolean {
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    const element = part.current;
    if (element === null || isInView) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setInView(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [part, isInView]);
  return isInView;
}
