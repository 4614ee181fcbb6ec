import { PriceListPage } from "../../features/prices/list/price-list-page.tsx";
import { loadPriceList, type PriceListData } from "../../features/prices/load.ts";
import { definePage } from "../router/define-page.ts";

export const page = definePage<PriceListData>({
  Page: PriceListPage,
  load: async ({ api }) => ({ kind: "page", data: await loadPriceList(api) }),
  head: (_data, t) => ({
    title: `${t("list.title", { ns: "prices" })} · Wherry`,
    description: t("list.lead", { ns: "prices" }),
  }),
});
