import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { ArticleItem } from "#contract/site/content.ts";
import { Breadcrumbs } from "../breadcrumbs.tsx";
import { Facts } from "../article/facts.tsx";
import type { ListData } from "../load.ts";
import { blogPath } from "../model/blog-path.ts";

export function BlogList({ data }: { readonly data: ListData }) {
  const { t } = useTranslation("content");
  const { items, category, page, lastPage } = data;
  return (
    <>
      <Breadcrumbs data={data} />
      <h1 className="w-blog__title">{category?.title ?? t("blog.title")}</h1>
      {category === null ? <p className="w-blog__lead">{t("blog.description")}</p> : null}
      {items.length === 0 ? <p className="w-blog__none">{t("blog.none")}</p> : null}
      <ul className="w-blog__list">
        {items.map((item) => (
          <Teaser key={item.slug} item={item} />
        ))}
      </ul>
      {lastPage > 1 ? <Paging slug={category?.slug ?? ""} page={page} lastPage={lastPage} /> : null}
    </>
  );
}

const Teaser = ({ item }: { readonly item: ArticleItem }) => (
  <li className="w-blog__teaser">
    <h2>
      <Link href={`/blog/${item.slug}`}>{item.title}</Link>
    </h2>
    <p>{item.description}</p>
    <Facts item={item} />
  </li>
);

type PagingProps = { readonly slug: string; readonly page: number; readonly lastPage: number };

function Paging({ slug, page, lastPage }: PagingProps) {
  const { t } = useTranslation("content");
  return (
    <nav className="w-blog__paging" aria-label={t("paging.label")}>
      {page > 1 ? (
        <Link href={blogPath(slug, page - 1)} rel="prev">
          {t("paging.newer")}
        </Link>
      ) : null}
      <span>{t("paging.place", { page, lastPage })}</span>
      {page < lastPage ? (
        <Link href={blogPath(slug, page + 1)} rel="next">
          {t("paging.older")}
        </Link>
      ) : null}
    </nav>
  );
}
