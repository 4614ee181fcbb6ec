import type { TFunction } from "i18next";

const ns = { ns: "order" } as const;

/** Title and description of the list of orders. */
export const ordersHead = (_data: null, t: TFunction): { title: string; description: string } => ({
  title: `${t("list.title", ns)} · Wherry`,
  description: t("list.description", ns),
});
