import { DocsPage } from "../../features/content/docs/docs-page.tsx";
import { contentHead } from "../../features/content/head.ts";
import { type ContentData, loadDocs } from "../../features/content/load.ts";
import { definePage } from "../router/define-page.ts";

export const page = definePage<ContentData>({ Page: DocsPage, load: loadDocs, head: contentHead });
