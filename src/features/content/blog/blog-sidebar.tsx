import { type ComponentType, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Facts } from "../article/facts.tsx";
import { TableOfContents } from "../article/table-of-contents.tsx";
import type { ContentData } from "../load.ts";
import { ArticleSearch } from "../search/article-search.tsx";
import { blogPath } from "../model/blog-path.ts";
import { useInView } from "../../../shared/page/use-in-view.ts";
import { Button } from "../../../shared/ui/index.ts";

type BlogSidebarProps = { readonly data: ContentData; readonly Calculator: ComponentType };

/** The search, the article's sections, the topics of the blog, what to read next, and the calculator. */
export function BlogSidebar({ data, Calculator }: BlogSidebarProps) {
  const { t } = useTranslation("content");
  const current = data.kind === "article" ? data.article.category : data.category?.slug;
  const related = data.kind === "article" ? data.related : [];
  return (
    <>
      <ArticleSearch section="blog" />
      {data.kind === "article" ? <TableOfContents entries={data.article.toc} className="w-blog__card" /> : null}
      {data.categories.length === 0 ? null : (
        <nav className="w-blog__card" aria-labelledby="blog-topics">
          <h2 id="blog-topics">{t("blog.topics")}</h2>
          <ul className="w-blog__topics">
            {data.categories.map(({ slug, title, count }) => (
              <li key={slug}>
                <Link href={blogPath(slug, 1)} aria-current={slug === current ? "true" : undefined}>
                  <span>{title}</span>
                  <span className="w-number">{count}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {related.length === 0 ? null : (
        <section className="w-blog__card" aria-labelledby="blog-related">
          <h2 id="blog-related">{t("blog.related")}</h2>
          <ul className="w-blog__related">
            {related.map((item) => (
              <li key={item.slug}>
                <Link href={`/blog/${item.slug}`}>{item.title}</Link>
                <Facts item={item} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <BlogCalculator Calculator={Calculator} />
    </>
  );
}

/** Beside an article: the calculator, which is of another feature and comes once its place is looked at, and a link to it until then. */
function BlogCalculator({ Calculator }: { readonly Calculator: ComponentType }) {
  const { t } = useTranslation("content");
  const card = useRef<HTMLElement>(null);
  const isInView = useInView(card);
  return (
    <section className="w-blog__card w-blog__exchange" ref={card}>
      <h2>{t("blog.exchangeTitle")}</h2>
      <p>{t("blog.exchangeText")}</p>
      {isInView ? <Calculator /> : null}
      <div className="w-blog__to-exchange">
        <Button href="/" stretched>
          {t("blog.exchange")}
        </Button>
      </div>
    </section>
  );
}
