import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { orderPath } from "#contract/links/order-path.ts";
import { useShare } from "../../../telegram/use-share.ts";
import { useOrderLink } from "./order-head.tsx";

/** Shares the order's link. Without a share sheet the link is copied, and `message` says for two seconds whether that worked. */
export function useShareOrder(order: Order): { message: string; share: () => Promise<void> } {
  const { t } = useTranslation("order");
  const url = useOrderLink(order);
  const { message, share } = useShare({ copied: t("head.copied"), notCopied: t("head.notCopied") });
  const title = t("page.title", { reference: order.reference });
  const path = orderPath(order.orderId, order.destinationAddress);
  return { message, share: () => share({ title, url, path }) };
}
