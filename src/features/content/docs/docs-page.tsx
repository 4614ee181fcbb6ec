import { usePageData } from "../../../shared/page/page-context.ts";
import { ArticleBody } from "../article/article-body.tsx";
import { ArticleEnd } from "../article/article-end.tsx";
import { Facts } from "../article/facts.tsx";
import { TableOfContents } from "../article/table-of-contents.tsx";
import type { ArticleData, ContentData } from "../load.ts";
import { DocsFrame } from "./docs-frame.tsx";
import { DocsIndex } from "./docs-index.tsx";

/** `/docs` and its articles. */
export function DocsPage() {
  const data = usePageData<ContentData>();
  const isArticle = data.kind === "article";
  return (
    <DocsFrame
      data={data}
      current={isArticle ? data.article.slug : ""}
      contents={isArticle ? <TableOfContents entries={data.article.toc} className="w-docs__contents" /> : null}
    >
      {isArticle ? <DocsArticle data={data} /> : <DocsIndex data={data} />}
    </DocsFrame>
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
