import { BlogPage } from "../../features/content/blog/blog-page.tsx";
import { contentHead } from "../../features/content/head.ts";
import { type ContentData, loadBlog } from "../../features/content/load.ts";
import { definePage } from "../router/define-page.ts";
import { DeferredCalculator } from "./deferred-calculator.ts";

export const page = definePage<ContentData>({
  Page: () => <BlogPage Calculator={DeferredCalculator} />,
  load: loadBlog,
  head: contentHead,
});
