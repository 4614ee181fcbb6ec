import type { PageName } from "#contract/site/pages.ts";
import { InfoPage } from "../../features/content/info/info-page.tsx";
import { type InfoData, infoHead, loadInfo } from "../../features/content/info/load.ts";
import { definePage } from "../router/define-page.ts";

/** The route names pages alone. */
export const page = definePage<InfoData>({
  Page: InfoPage,
  load: (input) => loadInfo(input, input.params["name"] as PageName),
  head: infoHead,
});
