import { loadPopular, type PopularData } from "../../features/home/load.ts";
import { PopularPage } from "../../features/home/popular/popular-page.tsx";
import { definePage } from "../router/define-page.ts";

export const page = definePage<PopularData>({
  Page: PopularPage,
  load: async ({ api }) => ({ kind: "page", data: await loadPopular(api) }),
  head: (_data, t) => ({
    title: `${t("popular.title", { ns: "home" })} · Wherry`,
    description: t("popular.description", { ns: "home" }),
  }),
});
