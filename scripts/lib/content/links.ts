import { type Locale, splitLocale } from "#contract/locale.ts";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import type { Root as Markdown } from "mdast";
import { visit } from "unist-util-visit";
import catalogue from "../../../server/catalogue/catalogue.json" with { type: "json" };
import { root } from "../run.ts";
import { ContentError, type Place } from "./article-file.ts";

/** Ids of headings begin so: a heading named "Page data" must not take the id of an element of the app. */
export const ID_PREFIX = "section-";
/** With a scheme, or a page of this site. */
const IS_ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/)/i;

/** Others are left out of what is shown, and with them the link. */
const HAS_OTHER_SCHEME = /^(?!(?:https?|mailto):)[a-z][a-z0-9+.-]*:/i;

/** A link, where it leads and the line of its file on which it stands. */
export type Link = { readonly href: string; readonly written: string; readonly line: number };

/** Links to other articles are written as their files: each gets the address of its page. Throws `ContentError` for a file that is not published. */
export function resolveLinks(
  tree: Markdown,
  slug: string,
  addressOf: (slug: string) => string | null,
  { lineOf, refuse }: Place,
): Link[] {
  const links: Link[] = [];
  visit(tree, ["link", "definition"], (node) => {
    if (node.type !== "link" && node.type !== "definition") return;
    const written = node.url;
    if (HAS_OTHER_SCHEME.test(written))
      throw refuse(node, `the link ${written} is not shown: links begin with https:, http: or mailto:`);
    if (!IS_ABSOLUTE.test(written)) {
      const [path = "", anchor] = written.split("#");
      const to = posix.normalize(posix.join(posix.dirname(slug), path.replace(/\.md$/, "")));
      const address = path === "" ? "" : addressOf(to);
      if (address === null) throw refuse(node, `the link ${written} leads nowhere: no published file has this name`);
      node.url = anchor === undefined ? address : `${address}#${ID_PREFIX}${anchor}`;
    }
    links.push({ href: node.url, written, line: lineOf(node) });
  });
  return links;
}

/** A page that is built of a file. */
export type BuiltFile = {
  readonly file: string;
  readonly locale: Locale;
  readonly address: string;
  /** Null for a page that is always there. */
  readonly publishedAt: string | null;
  readonly links: readonly Link[];
  readonly ids: ReadonlySet<string>;
};

/** Paths that are no page of the app's routes, and may be linked. */
const FILES =
  /^\/(?:lk|rates\.xml|llms\.txt|robots\.txt|sitemap\.xml|embed\.js|blog\/feed\.xml|api\/openapi\.json|\.well-known\/security\.txt)$/;
/** Their own pages are known: what their routes match beside them is not there. */
const BUILT_ROUTES = new Set(["blog", "docs"]);
const ORIGIN = "https://site.invalid";

/**
 * Throws `ContentError` for the first link to a place that is not there on the day on which its page is published, or today. `lists` are the addresses of
 * lists of articles.
 */
export async function checkLinks(
  files: readonly BuiltFile[],
  lists: ReadonlySet<string>,
  today: string,
): Promise<void> {
  const { matchRoute } = await readRoutes();
  const built = new Map(files.map((one) => [one.address, one]));
  const isOther = (path: string): boolean => {
    if (FILES.test(path) || lists.has(path)) return true;
    const own = splitLocale(path).path;
    const route = matchRoute(own)?.route.name;
    return route !== undefined && !BUILT_ROUTES.has(route) && isOffered(own);
  };
  for (const from of files)
    for (const { href, written, line } of from.links) {
      const url = URL.canParse(href, ORIGIN + from.address) ? new URL(href, ORIGIN + from.address) : null;
      if (url !== null && url.origin !== ORIGIN) continue;
      const refuse = (message: string) => new ContentError(from.file, line, `the link ${written} ${message}`);
      if (url === null) throw refuse("is no address");
      const { pathname, hash } = url;
      const to = built.get(pathname);
      if (to === undefined && !isOther(pathname)) throw refuse("leads nowhere: this site has no such page");
      if (!FILES.test(pathname) && splitLocale(pathname).locale !== from.locale)
        throw refuse("leads to a page in another language");
      if (to === undefined) continue;
      const day = from.publishedAt !== null && from.publishedAt > today ? from.publishedAt : today;
      if (to.publishedAt !== null && to.publishedAt > day)
        throw refuse(`leads to an article that is not published before ${to.publishedAt}`);
      const anchor = decoded(hash.slice(1));
      if (anchor === null) throw refuse("has a % that is no letter's code");
      if (anchor !== "" && !to.ids.has(anchor))
        throw refuse(`leads to a place that its page has not${placesOf(to.ids)}`);
    }
}

const SLUGS = new Set(catalogue.instruments.map(({ slug }) => slug));
const SYMBOLS = new Set(catalogue.instruments.map(({ currencyTitle }) => currencyTitle.toLowerCase()));

/** Whether the shipped catalogue has the coin or the pair that a path names, if it names one. */
function isOffered(path: string): boolean {
  const [, symbol] = /^\/price\/(.+)$/.exec(path) ?? [];
  if (symbol !== undefined) return SYMBOLS.has(symbol);
  const [, pair] = /^\/exchange-(.+)$/.exec(path) ?? [];
  if (pair === undefined) return true;
  const parts = pair.split("-");
  return parts.some((_, at) => SLUGS.has(parts.slice(0, at).join("-")) && SLUGS.has(parts.slice(at).join("-")));
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The anchors that may be written, for a message. */
function placesOf(ids: ReadonlySet<string>): string {
  const anchors = [...ids].flatMap((id) => (id.startsWith(ID_PREFIX) ? [`#${id.slice(ID_PREFIX.length)}`] : []));
  return anchors.length === 0 ? "" : `: it has ${anchors.slice(0, 12).join(", ")}`;
}

type Routes = { matchRoute(path: string): { readonly route: { readonly name: string } } | null };

/** The app's own routes: its modules have other globals than ours, so that only this part of them is typed. */
const readRoutes = async (): Promise<Routes> =>
  (await import(pathToFileURL(join(root, "src/app/router/route-table.ts")).href)) as Routes;
