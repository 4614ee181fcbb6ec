import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { orderPath } from "#contract/order-path.ts";
import { useExternalLinks } from "../../../shared/page/page-context.ts";
import { share } from "../../../telegram/share.ts";
import { useOrderLink } from "./order-head.tsx";

const SAID_MS = 2000;

/** Hands the order's link on; what came of it is said for two seconds where the device has no share sheet of its own. */
export function useShareOrder(order: Order): { said: string; share: () => Promise<void> } {
  const { t } = useTranslation("order");
  const url = useOrderLink(order);
  const { miniAppUrl } = useExternalLinks();
  const [said, setSaid] = useState({ words: "" });
  useEffect(() => {
    if (said.words === "") return undefined;
    const timer = setTimeout(() => setSaid({ words: "" }), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const handOn = async () => {
    const title = t("page.title", { reference: order.reference });
    const path = orderPath(order.orderId, order.destinationAddress);
    const outcome = await share({ title, url, path, miniAppUrl });
    if (outcome !== "shared") setSaid({ words: t(outcome === "copied" ? "head.copied" : "head.notCopied") });
  };
  return { said: said.words, share: handOn };
}
