import { useTranslation } from "react-i18next";
import type { ArticleItem } from "#contract/site/content.ts";
import { formatDate } from "../model/format-date.ts";
import "./facts.css";

type FactsProps = { readonly item: ArticleItem; readonly withAuthor?: boolean };

/** Who wrote an article, when, and how long it takes to read. */
export function Facts({ item, withAuthor = false }: FactsProps) {
  const { t } = useTranslation("content");
  const { author, publishedAt, updatedAt, minutes } = item;
  return (
    <div className="w-facts">
      {withAuthor ? (
        <p className="w-facts__author">
          <bdi>{author}</bdi>
        </p>
      ) : null}
      <p>
        <time dateTime={publishedAt}>{formatDate(publishedAt, t("months"))}</time>,{" "}
        {t("article.minutes", { count: minutes })}
        {updatedAt === null ? null : (
          <>
            , {t("article.updated")} <time dateTime={updatedAt}>{formatDate(updatedAt, t("months"))}</time>
          </>
        )}
      </p>
    </div>
  );
}
