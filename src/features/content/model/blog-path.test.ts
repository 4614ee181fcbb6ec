import { expect, it } from "vitest";
import { blogPath, readBlogPath } from "./blog-path.ts";

it.each([
  ["", { slug: "", page: 1, hasPage: false }],
  ["/page2", { slug: "", page: 2, hasPage: true }],
  ["/page1", { slug: "", page: 1, hasPage: true }],
  ["/guides/first/page12", { slug: "guides/first", page: 12, hasPage: true }],
  ["/guides/first", { slug: "guides/first", page: 1, hasPage: false }],
  ["/page0", { slug: "page0", page: 1, hasPage: false }],
  ["/page01", { slug: "page01", page: 1, hasPage: false }],
  ["/page2x", { slug: "page2x", page: 1, hasPage: false }],
  ["/page999999", { slug: "page999999", page: 1, hasPage: false }],
])("/blog%s", (below, expected) => expect(readBlogPath(below)).toEqual(expected));

it.each([
  ["", 1, "/blog"],
  ["", 2, "/blog/page2"],
  ["guides", 1, "/blog/guides"],
  ["guides", 3, "/blog/guides/page3"],
])("the path of %j, page %d", (slug, page, path) => expect(blogPath(slug, page)).toBe(path));
