import type { TFunction } from "i18next";
import type { OrderPageData } from "./load.ts";

type HeadTexts = { readonly title: string; readonly description: string };

const ns = { ns: "order" } as const;

/** Title and description of the order page in each of its states. */
export function orderHead(data: OrderPageData, t: TFunction): HeadTexts {
  const description = t("page.description", ns);
  if (data.kind === "found") {
    const { status, reference } = data.order;
    return { title: t(status === "expired" ? "page.expiredTitle" : "page.title", { ...ns, reference }), description };
  }
  return { title: t(data.kind === "pending" ? "page.pendingTitle" : "page.lookupTitle", ns), description };
}

/** Title and description of the list of orders. */
export const ordersHead = (_data: null, t: TFunction): HeadTexts => ({
  title: `${t("list.title", ns)} · Wherry`,
  description: t("list.description", ns),
});

/** Title and description of the page that stops a waiting refund. */
export const stopRefundHead = (_data: null, t: TFunction): HeadTexts => ({
  title: `${t("stop.title", ns)} · Wherry`,
  description: t("stop.text", ns),
});
