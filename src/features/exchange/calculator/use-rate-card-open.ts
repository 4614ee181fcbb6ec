import { useEffect, useState } from "react";
import { localStore } from "../../../shared/browser/storage.ts";

const KEY = "rate-card";

/** `auto` leaves it to the style sheet, which closes the card where it would not fit. */
type Openness = "auto" | "open" | "closed";

/** Whether the rate card is open; what the reader chose is remembered, and applied after hydration. */
export function useRateCardOpen(): { openness: Openness; toggle: () => void } {
  const [openness, setOpenness] = useState<Openness>("auto");
  useEffect(() => {
    const kept = localStore.get(KEY);
    if (kept === "open" || kept === "closed") setOpenness(kept);
    else if (!matchMedia("(width >= 360px) and (height >= 700px)").matches) setOpenness("closed");
  }, []);
  const toggle = () => {
    const next = openness === "closed" ? "open" : "closed";
    localStore.set(KEY, next);
    setOpenness(next);
  };
  return { openness, toggle };
}
