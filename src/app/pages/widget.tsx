import { loadWidgetPage, type WidgetPageData } from "../../features/widget/load.ts";
import { WidgetPage } from "../../features/widget/page/widget-page.tsx";
import { definePage } from "../router/define-page.ts";

export const page = definePage<WidgetPageData>({
  Page: WidgetPage,
  load: async ({ api }) => ({ kind: "page", data: await loadWidgetPage(api) }),
  head: (_data, t) => ({
    title: `${t("title", { ns: "widget" })} · Wherry`,
    description: t("lead", { ns: "widget" }),
  }),
});
