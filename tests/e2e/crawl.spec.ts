import { type APIRequestContext, expect, test } from "@playwright/test";
import { Api } from "../support/http/api.ts";
import { crawl, headOf, languageOf, type Read, sitemapOf } from "../support/http/site-crawl.ts";
import { structuredDataOf } from "../support/http/structured-data.ts";
import { faultsOf } from "../a11y/valid-html.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { pathIn } from "./support/test.ts";
import { LOCALES } from "./support/texts.ts";

const MISSING = "/nothing-here";

/** What no sitemap lists and no link names, beside the pages that are found. */
const UNLISTED = ["/exchange-eth-usdt-erc20?amount=0.5&step=destination", "/stop-refund", "/order/pending", MISSING];

/** spec §2: each of them would be a page if its route took whatever it is given. */
const NOT_FOUND = [
  MISSING,
  "/exchange-eth-nocoin",
  "/exchange-nocoin-eth",
  "/exchange-eth",
  "/exchange-eth-eth",
  "/exchange-",
  "/exchange-ETH-BTC",
  "/price/nothing",
  "/price/btc/eth",
  "/price?page=0",
  "/price?page=99",
  "/price?page=x",
  "/blog/not-written",
  "/blog/page0",
  "/blog/page99",
  "/blog/page01",
  "/blog/pagex",
  "/blog/guides/page99",
  "/blog/guides/not-written",
  "/blog/Guides",
  "/blog/before-you-send/page1",
  "/docs/not-written",
  "/docs/Fees",
  "/docs/page1",
  "/docs/fees/refunds",
  "/order/x",
  "/popular-exchanges/eth",
  "/how-it-works/x",
  "/pictures/en/price/nothing.png",
  "/sitemaps/nothing.xml",
];

/** Issues and contracts name these by their address; footers and terms link them. */
const NAMED = [
  "/how-it-works",
  "/support",
  "/roadmap",
  "/affiliate",
  "/cashback",
  "/wallet",
  "/swap-api",
  "/widget",
  "/for-competent-authorities",
  "/terms",
  "/privacy",
  "/aml",
  "/popular-exchanges",
  "/price",
  "/blog",
  "/docs",
];

const reader =
  (request: APIRequestContext): Read =>
  async (path, method) => {
    const answer = await request.fetch(path, { method, maxRedirects: 0 });
    const headers = answer.headers();
    const type = headers["content-type"] ?? "";
    const html = /^(?:text|application)\//.test(type) ? await answer.text() : "";
    return { status: answer.status(), location: headers["location"] ?? null, type, html };
  };

/** Pages of one kind have one template. */
const templateOf = (path: string): string =>
  path.replace(/^(\/ru)?\/exchange-.*/, "$1/exchange-").replace(/\/(price|blog|docs)\/(?!api$|guides$)[^?]+$/, "/$1/…");

// It reads every page of the site, in both languages.
test.describe.configure({ mode: "serial", timeout: 180_000 });

test(
  "the site is whole: every link leads to its page, and every listed page is linked and says what it is",
  { tag: "@desktop" },
  async ({ request, baseURL: origin = "" }) => {
    const read = reader(request);
    const listed = await sitemapOf(read, origin);
    const order = orderPath(await newOrder(new Api(origin)));
    const unlisted = [...UNLISTED, order].flatMap((path) => LOCALES.map((lang) => pathIn(lang, path)));
    const { pages, broken } = await crawl(
      read,
      origin,
      LOCALES.map((lang) => pathIn(lang, "/")),
      unlisted,
    );
    expect(broken).toEqual([]);

    const faults: string[] = [];
    const templates = new Map<string, string>();
    for (const [address, alternates] of listed) {
      const path = address.slice(origin.length);
      const page = pages.get(path);
      if (page?.status !== 200) {
        faults.push(`${path}: ${page === undefined ? "no link leads to it" : page.status}`);
        continue;
      }
      const head = headOf(page.html);
      const lang = languageOf(path);
      expect.soft({ path, ...head }).toMatchObject({
        path,
        canonical: [address],
        alternates,
        isIndexed: true,
        language: lang,
        picture: expect.stringMatching(new RegExp(`^${origin}/.*\\.png$`)),
      });
      if (alternates[lang] !== address) faults.push(`${path}: is not its own alternate`);
      if (alternates["x-default"] !== alternates["en"]) faults.push(`${path}: its x-default is another page`);
      for (const other of Object.values(alternates))
        if (listed.get(other)?.[lang] !== address) faults.push(`${path}: ${other} doesn't name it`);
      try {
        structuredDataOf(page.html.replaceAll(origin, "https://wherry.test"));
      } catch (error) {
        faults.push(`${path}: ${String(error)}`);
      }
      templates.set(templateOf(path), path);
    }
    const isListed = (html: string) => headOf(html).canonical.every((address) => listed.has(address));
    for (const [path, { status, type, html }] of pages)
      if (status === 200 && type.startsWith("text/html") && headOf(html).isIndexed && !isListed(html))
        faults.push(`${path}: search engines may keep it, and no sitemap lists it`);
    for (const path of NAMED)
      for (const lang of LOCALES)
        if (!listed.has(origin + pathIn(lang, path))) faults.push(`${pathIn(lang, path)}: is not listed`);
    for (const path of templates.values()) {
      const { html = "" } = pages.get(path) ?? {};
      faults.push(...(await faultsOf(html)).map((fault) => `${path}: ${fault}`));
      const picture = await request.get(headOf(html).picture ?? "");
      if (picture.status() !== 200 || picture.headers()["content-type"] !== "image/png")
        faults.push(`${path}: its picture answers ${picture.status()} ${picture.headers()["content-type"]}`);
    }
    expect(faults).toEqual([]);
    expect(templates.size).toBeGreaterThan(2 * NAMED.length);
  },
);

test(
  "unknown paths are 404 in every language; robots.txt, sitemap and feeds are served",
  { tag: "@desktop" },
  async ({ request, baseURL: origin = "" }) => {
    const read = reader(request);
    const statuses: Record<string, number> = {};
    for (const path of NOT_FOUND.flatMap((of) =>
      of.startsWith("/pictures/") ? [of] : LOCALES.map((lang) => pathIn(lang, of)),
    ))
      statuses[path] = (await read(path, "GET")).status;
    expect(Object.entries(statuses).filter(([, status]) => status !== 404)).toEqual([]);

    const files = ["/robots.txt", "/llms.txt", "/rates.xml", "/blog/feed.xml", "/ru/blog/feed.xml"];
    for (const path of files) {
      const { status, html } = await read(path, "GET");
      expect([path, status]).toEqual([path, 200]);
      const links = new Set(Array.from(html.matchAll(/https?:\/\/[^\s<>")\]]+/g), ([link]) => link));
      for (const link of links)
        if (link.startsWith(`${origin}/`))
          expect([path, link, (await read(link.slice(origin.length), "HEAD")).status]).toEqual([path, link, 200]);
    }
  },
);
