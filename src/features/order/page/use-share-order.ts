import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { orderPath } from "#contract/order-path.ts";
import { useExternalLinks } from "../../../shared/page/page-context.ts";
import { share as shareLink } from "../../../telegram/share.ts";
import { useOrderLink } from "./order-head.tsx";

const MESSAGE_MS = 2000;

/** Shares the order's link. Without a share sheet the link is copied, and `message` says for two seconds whether that worked. */
export function useShareOrder(order: Order): { message: string; share: () => Promise<void> } {
  const { t } = useTranslation("order");
  const url = useOrderLink(order);
  const { miniAppUrl } = useExternalLinks();
  const [message, setMessage] = useState({ text: "" });
  useEffect(() => {
    if (message.text === "") return undefined;
    const timer = setTimeout(() => setMessage({ text: "" }), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const share = async () => {
    const title = t("page.title", { reference: order.reference });
    const path = orderPath(order.orderId, order.destinationAddress);
    const result = await shareLink({ title, url, path, miniAppUrl });
    if (result !== "shared") setMessage({ text: t(result === "copied" ? "head.copied" : "head.notCopied") });
  };
  return { message: message.text, share };
}
