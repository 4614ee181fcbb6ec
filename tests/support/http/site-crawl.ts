export type CrawledPage = {
  readonly status: number;
  readonly location: string | null;
  readonly type: string;
  /** Empty for what is no text, and for the answer to a HEAD. */
  readonly html: string;
};
export type Read = (path: string, method: "GET" | "HEAD") => Promise<CrawledPage>;

export type Crawl = {
  /** Every page that a link leads to, and those that the crawl began with, by path and query. */
  readonly pages: ReadonlyMap<string, CrawledPage>;
  /** Each link that leads nowhere, to another address than its page has, to a place that its page has not, or into another language. */
  readonly broken: readonly string[];
};

type SiteLink = { readonly from: string; readonly to: string; readonly id: string; readonly isOfLanguages: boolean };

/** Pages read at once: the server renders as many, and lets a visitor wait for twice that. */
const AT_ONCE = 4;

/**
 * What the site's own links lead to from `first` on. The links of `unlisted` pages, whatever these answer, are followed too, but for
 * those to such pages. Of a page that is the same with another query only the answer's head is read.
 */
export async function crawl(
  read: Read,
  origin: string,
  first: readonly string[],
  unlisted: readonly string[],
): Promise<Crawl> {
  const pages = new Map<string, CrawledPage>();
  const links: SiteLink[] = [];
  const known = new Set([...first, ...unlisted]);
  const left = [...known];
  const visit = async (path: string): Promise<void> => {
    const isWhole = unlisted.includes(path) || !path.includes("?") || /\?page=\d+$/.test(path);
    const page = await read(path, isWhole ? "GET" : "HEAD");
    pages.set(path, page);
    if (!page.type.startsWith("text/html")) return;
    for (const [tag] of page.html.matchAll(/<a\s[^>]*>/g)) {
      const [href] = valuesOf(tag, /\shref="([^"]*)"/g);
      const target = href === undefined ? null : new URL(href, origin + path);
      const to = `${target?.pathname}${target?.search}`;
      if (target?.origin !== origin || (unlisted.includes(path) && unlisted.includes(to))) continue;
      const isOfLanguages = /\shreflang="/i.test(tag);
      links.push({ from: path, to, id: decodeURIComponent(target.hash.slice(1)), isOfLanguages });
      if (!known.has(to)) left.push(to);
      known.add(to);
    }
  };
  while (left.length > 0) await Promise.all(left.splice(0, AT_ONCE).map(visit));
  const broken = links.flatMap((link) => {
    const fault = faultOf(link, pages.get(link.to));
    return fault === null ? [] : [`${link.from} → ${link.to}: ${fault}`];
  });
  return { pages, broken: [...new Set(broken)] };
}

function faultOf({ from, to, id, isOfLanguages }: SiteLink, page: CrawledPage | undefined): string | null {
  const { status = 0, location = null, type = "", html = "" } = page ?? {};
  // A guest signs in first.
  const isLogin = /^(?:\/ru)?\/profile\//.test(to) && location?.includes("?login&") === true;
  if (status !== 200 && !isLogin) return `${status}${location === null ? "" : ` to ${location}`}`;
  const isPage = isLogin || type.startsWith("text/html");
  if (isPage && !isOfLanguages && languageOf(from) !== languageOf(to)) return "in another language";
  return id === "" || html === "" || html.includes(`id="${id}"`) ? null : `no place ${id}`;
}

/** What the path says that its page is in. */
export const languageOf = (path: string): "en" | "ru" => (/^\/ru(?=[/?]|$)/.test(path) ? "ru" : "en");

const decode = (text: string): string => text.replaceAll("&amp;", "&").replaceAll("&#x27;", "'");

const valuesOf = (html: string, pattern: RegExp): string[] =>
  Array.from(html.matchAll(pattern), ([, value = ""]) => decode(value));

export type Alternates = Readonly<Record<string, string>>;

/** What a page's head says of its address and languages. */
export function headOf(html: string) {
  const head = /<head>([\s\S]*?)<\/head>/.exec(html)?.[1] ?? "";
  const tags = Array.from(head.matchAll(/<(?:meta|link)\s([^>]*)>/g), ([, attributes = ""]) =>
    attributesOf(attributes),
  );
  const contentOf = (name: string) =>
    tags.find((tag) => tag["name"] === name || tag["property"] === name)?.["content"] ?? null;
  return {
    canonical: tags.flatMap(({ rel, href }) => (rel === "canonical" && href !== undefined ? [href] : [])),
    alternates: alternatesIn(tags.filter(({ rel }) => rel === "alternate")),
    isIndexed: contentOf("robots")?.includes("noindex") !== true,
    picture: contentOf("og:image"),
    language: /<html[^>]*? lang="([^"]*)"/.exec(html)?.[1] ?? null,
  };
}

type Attributes = { readonly [name: string]: string | undefined };

const attributesOf = (written: string): Attributes =>
  Object.fromEntries(
    Array.from(written.matchAll(/([\w:-]+)="([^"]*)"/g), ([, name = "", value = ""]) => [name, decode(value)]),
  );

const alternatesIn = (links: readonly Attributes[]): Alternates =>
  Object.fromEntries(
    links.flatMap(({ hreflang, href }) => (hreflang === undefined || href === undefined ? [] : [[hreflang, href]])),
  );

/** The addresses that the files of a sitemap's index list, with the languages that they name for each. */
export async function sitemapOf(read: Read, origin: string): Promise<ReadonlyMap<string, Alternates>> {
  const listed = new Map<string, Alternates>();
  const index = await xmlOf(read, "/sitemap.xml");
  for (const file of valuesOf(index, /<loc>([^<]*)<\/loc>/g)) {
    const xml = await xmlOf(read, file.replace(origin, ""));
    for (const [, url = ""] of xml.matchAll(/<url>([\s\S]*?)<\/url>/g)) {
      const [loc = ""] = valuesOf(url, /<loc>([^<]*)<\/loc>/g);
      if (listed.has(loc)) throw new Error(`${loc} is listed twice`);
      listed.set(
        loc,
        alternatesIn(Array.from(url.matchAll(/<xhtml:link([^>]*)>/g), ([, of = ""]) => attributesOf(of))),
      );
    }
  }
  return listed;
}

async function xmlOf(read: Read, path: string): Promise<string> {
  const { status, type, html } = await read(path, "GET");
  if (status !== 200 || !/xml/.test(type)) throw new Error(`${path} answers ${status} ${type}`);
  return html;
}
