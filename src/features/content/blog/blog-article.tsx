import { Link } from "wouter";
import { firstLetter } from "../../../shared/format/first-letter.ts";
import { ArticleBody } from "../article/article-body.tsx";
import { ArticleEnd } from "../article/article-end.tsx";
import { Cover } from "../article/cover.tsx";
import { Facts } from "../article/facts.tsx";
import { Crumbs } from "../crumbs.tsx";
import type { ArticleData } from "../load.ts";
import { blogPath } from "../model/blog-path.ts";
import { Waves } from "./waves.tsx";

export function BlogArticle({ data }: { readonly data: ArticleData }) {
  const { article, categories } = data;
  const category = categories.find(({ slug }) => slug === article.category);
  return (
    <article className="w-blog__article">
      <Crumbs data={data} />
      {category === undefined ? null : (
        <Link className="w-blog__topic" href={blogPath(category.slug, 1)}>
          {category.title}
        </Link>
      )}
      <h1 className="w-blog__title">{article.title}</h1>
      <div className="w-blog__author">
        <span className="w-blog__initials" aria-hidden="true">
          {initialsOf(article.author)}
        </span>
        <Facts item={article} withAuthor />
      </div>
      {article.cover === null ? (
        <Waves />
      ) : (
        <Cover cover={article.cover} sizes="(min-width: 1024px) 792px, 100vw" className="w-blog__cover" isFirst />
      )}
      <ArticleBody html={article.html} className="w-blog__text" />
      <ArticleEnd data={data} />
    </article>
  );
}

/** `Elin Strand` is ES. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => firstLetter(word).toUpperCase())
    .join("");
