import { useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  globalThis.addEventListener("online", listener);
  globalThis.addEventListener("offline", listener);
  return () => {
    globalThis.removeEventListener("online", listener);
    globalThis.removeEventListener("offline", listener);
  };
}

/** What the browser says: false is certain, true only means that some network is there. Components use `useOnline`. */
export const isOnline = (): boolean => navigator.onLine;

/** Whether the device has a network; true on the server and in the first render. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, isOnline, () => true);
