import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePageData } from "../../../shared/page/page-context.ts";
import { Button, Dialog } from "../../../shared/ui/index.ts";
import { ArticleBody } from "../article/article-body.tsx";
import { ArticleEnd } from "../article/article-end.tsx";
import { Facts } from "../article/facts.tsx";
import { TableOfContents } from "../article/table-of-contents.tsx";
import type { ArticleData, ContentData } from "../load.ts";
import { DocsIndex } from "./docs-index.tsx";
import { DocsNavigation } from "./docs-navigation.tsx";
import { DocsSearch } from "./docs-search.tsx";
import "./docs.css";

/** `/docs` and its articles: every page on the left, the sections of this one on the right. */
export function DocsPage() {
  const data = usePageData<ContentData>();
  return (
    <div className="w-page w-docs">
      <div className="w-docs__side">
        <DocsSearch />
        <div className="w-docs__navigation">
          <DocsNavigation data={data} />
        </div>
      </div>
      <div className="w-docs__main">
        <MenuButton data={data} />
        {data.kind === "article" ? <DocsArticle data={data} /> : <DocsIndex data={data} />}
      </div>
      {data.kind === "article" ? <TableOfContents entries={data.article.toc} className="w-docs__contents" /> : null}
    </div>
  );
}

/** Where the left list has no room, it is a sheet. */
function MenuButton({ data }: { readonly data: ContentData }) {
  const { t } = useTranslation("content");
  const [openAt, setOpenAt] = useState<ContentData | null>(null);
  // The sheet belongs to the page on which it was opened: a choice closes it.
  return (
    <div className="w-docs__menu">
      <Button variant="outline" onClick={() => setOpenAt(data)}>
        {t("docs.menu")}
      </Button>
      <Dialog open={openAt === data} onClose={() => setOpenAt(null)} title={t("docs.title")}>
        <DocsNavigation data={data} onChosen={() => setOpenAt(null)} />
      </Dialog>
    </div>
  );
}

function DocsArticle({ data }: { readonly data: ArticleData }) {
  const { article, categories } = data;
  const category = categories.find(({ slug }) => slug === article.category);
  return (
    <article>
      {category === undefined ? null : <p className="w-docs__category">{category.title}</p>}
      <h1 className="w-docs__title">{article.title}</h1>
      <p className="w-docs__lead">{article.description}</p>
      <Facts item={article} />
      <ArticleBody html={article.html} className="w-docs__text" />
      <ArticleEnd data={data} />
    </article>
  );
}
