import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { usePageData } from "../../../shared/page/page-context.ts";
import type { ContentData } from "../load.ts";
import { BlogArticle } from "./blog-article.tsx";
import { BlogList } from "./blog-list.tsx";
import { BlogSidebar } from "./blog-sidebar.tsx";
import "./blog.css";

/** `/blog` and all below it: the text on the left, the topics beside or below it. */
export function BlogPage({ Calculator }: { readonly Calculator: ComponentType }) {
  const data = usePageData<ContentData>();
  const { t } = useTranslation("content");
  return (
    <div className="w-page w-blog">
      <div className="w-blog__main">
        {data.kind === "article" ? <BlogArticle data={data} /> : <BlogList data={data} />}
      </div>
      <aside className="w-blog__side" aria-label={t("blog.side")}>
        <BlogSidebar data={data} Calculator={Calculator} />
      </aside>
    </div>
  );
}
