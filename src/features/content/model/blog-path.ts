/** Articles on one page of the blog. */
export const PAGE_SIZE = 10;

/** How many pages a list of so many articles has. */
export const lastPageOf = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

/** What a path below `/blog` asks for: which page of the list of `slug`, or of the whole blog where it is empty. */
export type BlogPath = {
  readonly slug: string;
  readonly page: number;
  /** Written out: `page1` is the address of the list itself. */
  readonly hasPage: boolean;
};

const PAGE = /^(?<slug>(?:\/[^/]+)*)\/page(?<page>[1-9]\d{0,4})$/;

export function readBlogPath(below: string): BlogPath {
  const match = PAGE.exec(below)?.groups;
  const slug = (match?.["slug"] ?? below).slice(1);
  return { slug, page: Number(match?.["page"] ?? "1"), hasPage: match !== undefined };
}

/** The path of a page of a list. */
export const blogPath = (slug: string, page: number): string =>
  `/blog${slug === "" ? "" : `/${slug}`}${page === 1 ? "" : `/page${page}`}`;
