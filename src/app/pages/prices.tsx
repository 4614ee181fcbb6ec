import { PriceListPage } from "../../features/prices/list/price-list-page.tsx";
import { loadPricePage, type PriceListData } from "../../features/prices/load.ts";
import { definePage } from "../router/define-page.ts";

export const page = definePage<PriceListData>({
  Page: PriceListPage,
  load: ({ api, query }) => loadPricePage(api, query.get("page")),
  head: (_data, t) => ({
    title: `${t("list.title", { ns: "prices" })} · Wherry`,
    description: t("list.lead", { ns: "prices" }),
  }),
});
