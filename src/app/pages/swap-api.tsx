import { loadSwapApi, type SwapApiData } from "../../features/swap-api/load.ts";
import { SwapApiPage } from "../../features/swap-api/swap-api-page.tsx";
import { definePage } from "../router/define-page.ts";

export const page = definePage<SwapApiData>({
  Page: SwapApiPage,
  load: async ({ api }) => ({ kind: "page", data: await loadSwapApi(api) }),
  head: (_data, t) => ({
    title: `${t("swap.title", { ns: "api" })} · Wherry`,
    description: t("swap.lead", { ns: "api" }),
  }),
});
