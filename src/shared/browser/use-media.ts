import { useSyncExternalStore } from "react";

/** Whether a media query matches now; not on the server and in the first render. */
export function useMedia(query: string): boolean {
  const subscribe = (changed: () => void) => {
    const media = matchMedia(query);
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  };
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
