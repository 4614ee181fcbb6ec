import { Link } from "wouter";
import { firstLetter } from "../../../shared/format/first-letter.ts";
import { ArticleBody } from "../article/article-body.tsx";
import { ArticleEnd } from "../article/article-end.tsx";
import { Cover } from "../article/cover.tsx";
import { Facts } from "../article/facts.tsx";
import { Breadcrumbs } from "../breadcrumbs.tsx";
import type { ArticleData } from "../load.ts";
import { blogPath } from "../model/blog-path.ts";

export function BlogArticle({ data }: { readonly data: ArticleData }) {
  const { article, categories } = data;
  const category = categories.find(({ slug }) => slug === article.category);
  return (
    <article className="w-blog__article">
      <Breadcrumbs data={data} />
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

/** The cover of an article without a picture of its own: the boat's river. */
const Waves = () => (
  <svg className="w-blog__cover" viewBox="0 0 800 300" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <rect width="800" height="300" fill="var(--navy)" />
    <g fill="none" stroke="var(--navy-accent)" strokeWidth="2">
      {[0, 1, 2, 3, 4, 5].map((line) => (
        <path key={line} d={wave(140 + line * 28)} opacity={line === 0 ? 1 : 0.6 - line * 0.09} />
      ))}
    </g>
    <g transform="translate(363 68) scale(2)" fill="var(--on-navy)">
      <path d="M26 6.5c.3 4.8.6 9.6.9 14.4l-14 .1C18.600 18.300 23.500 13.200 26 6.500ZM7.500 24.500h25c-.5 4.900-3.600 8.200-7.400 9.500H14.900c-3.800-1.300-6.900-4.600-7.400-9.500Z" />
    </g>
  </svg>
);

const wave = (y: number): string => `M-40 ${y}q25-14 50 0t50 0${" 50 0".repeat(15)}`;
