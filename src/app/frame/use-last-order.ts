import { useEffect, useState } from "react";
import { localStore } from "../../platform/storage.ts";
import type { Visit } from "../use-visit.ts";

const KEY = "wherry-last-order";

/** The path of the last order that this device has opened; null when there is none, and until hydrated. */
export function useLastOrder({ shown, path }: Visit): string | null {
  const [href, setHref] = useState<string | null>(null);
  useEffect(() => {
    const isOrder = shown.kind === "page" && shown.route.name === "order" && shown.status === 200;
    if (isOrder && location.search !== "") localStore.set(KEY, path + location.search);
    const kept = localStore.get(KEY);
    setHref(kept?.startsWith("/order/") ? kept : null);
  }, [shown, path]);
  return href;
}
