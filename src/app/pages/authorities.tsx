import { AuthoritiesPage } from "../../features/content/info/authorities-page.tsx";
import { type InfoData, infoHead, loadInfo } from "../../features/content/info/load.ts";
import { definePage } from "../router/define-page.ts";

export const page = definePage<InfoData>({
  Page: AuthoritiesPage,
  load: (input) => loadInfo(input, "for-competent-authorities"),
  head: infoHead,
});
