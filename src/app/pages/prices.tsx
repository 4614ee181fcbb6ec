import { PriceListPage } from "../../features/prices/list/price-list-page.tsx";
import { loadPricePage, type PricePageData } from "../../features/prices/load.ts";
import { definePage } from "../router/define-page.ts";

export const page = definePage<PricePageData>({
  Page: PriceListPage,
  load: ({ api, query }) => loadPricePage(api, query.get("page")),
  head: ({ page: number }, t) => {
    // Each page is kept by search engines under its own address, and says in its title which one it is.
    const page = number === 1 ? "" : `, ${t("list.titlePage", { ns: "prices", page: number })}`;
    return {
      title: `${t("list.title", { ns: "prices" })}${page} · Wherry`,
      description: t("list.lead", { ns: "prices" }),
      values: { page },
    };
  },
});
