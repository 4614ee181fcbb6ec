import { ApiReferencePage } from "../../features/content/api-reference/api-reference-page.tsx";
import { type ContentData, loadDocs } from "../../features/content/load.ts";
import { definePage } from "../router/define-page.ts";

export const page = definePage<ContentData>({
  Page: ApiReferencePage,
  // The list of all pages stands beside it.
  load: (input) => loadDocs({ ...input, params: {} }),
  head: (_data, t) => ({
    title: `${t("reference.title", { ns: "api" })} · Wherry`,
    description: t("reference.lead", { ns: "api" }),
    parents: [{ name: t("docs.title", { ns: "content" }), path: "/docs" }],
  }),
});
