import { useEffect, useState } from "react";
import type { Order } from "#contract/order.ts";
import { useT } from "../../lib/i18n/index.ts";
import { useOrderLink } from "./components/order-head.tsx";
import { shareLink } from "./share-link.ts";

const SAID_MS = 2000;

/** Hands the order's link on; what came of it is said for two seconds where the device has no share sheet of its own. */
export function useShare(order: Order): { said: string; share: () => Promise<void> } {
  const t = useT("order");
  const link = useOrderLink(order);
  const [said, setSaid] = useState({ words: "" });
  useEffect(() => {
    if (said.words === "") return undefined;
    const timer = setTimeout(() => setSaid({ words: "" }), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const share = async () => {
    const outcome = await shareLink(t("page.title", { reference: order.reference }), link);
    if (outcome !== "shared") setSaid({ words: t(outcome === "copied" ? "head.copied" : "head.notCopied") });
  };
  return { said: said.words, share };
}
