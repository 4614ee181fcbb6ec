import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ShareLinks } from "../../../telegram/share-links.tsx";
import type { ArticleData } from "../load.ts";
import "./article-end.css";

/** What follows an article's text: its tags, ways to share it, and its neighbours. */
export function ArticleEnd({ data: { section, article } }: { readonly data: ArticleData }) {
  const { t } = useTranslation("content");
  return (
    <footer className="w-article-end">
      {article.tags.length === 0 ? null : (
        <ul className="w-article-end__tags" aria-label={t("article.tags")}>
          {article.tags.map((tag) => (
            <li key={tag}>
              <bdi>{tag}</bdi>
            </li>
          ))}
        </ul>
      )}
      <ShareLinks title={article.title} path={`/${section}/${article.slug}`} />
      <nav className="w-article-end__neighbours" aria-label={t("article.neighbours")}>
        {article.previous === null ? null : (
          <Link href={`/${section}/${article.previous.slug}`} rel="prev">
            <span>{t("article.previous")}</span>
            {article.previous.title}
          </Link>
        )}
        {article.next === null ? null : (
          <Link href={`/${section}/${article.next.slug}`} rel="next">
            <span>{t("article.next")}</span>
            {article.next.title}
          </Link>
        )}
      </nav>
    </footer>
  );
}
