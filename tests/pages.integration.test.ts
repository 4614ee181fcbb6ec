import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openSeoTexts, type SeoTexts } from "../server/content/seo-texts.ts";
import { routes } from "../src/app/router/route-table.ts";
import { structuredDataOf } from "./support/http/structured-data.ts";
import {
  appSource,
  type RenderedSite,
  renderedSite,
  type SiteState,
  SOME_PAGES,
} from "./support/http/rendered-site.ts";

// An operator's mistake in the texts: one page's description is missing in one language.
const seoTexts = openSeoTexts();
const brokenTexts: SeoTexts = (page, locale) => {
  const texts = seoTexts(page, locale);
  if (page !== "popular" || locale !== "en") return texts;
  return Object.fromEntries(Object.entries(texts ?? {}).filter(([key]) => key !== "seo.popular.description"));
};

vi.mock("react-dom/server", { spy: true });

const ORIGIN = "https://wherry.test";
const ORDER = `/order/${"A".repeat(22)}?destinationAddress=0xdestination`;
/** An address of each route. */
const SAMPLES: Readonly<Record<string, string>> = {
  home: "/",
  popular: "/popular-exchanges",
  exchange: "/exchange-eth-usdt-erc20",
  order: ORDER,
  orders: "/orders",
  stopRefund: "/stop-refund",
  profile: "/profile/info",
  prices: "/price",
  price: "/price/eth",
  blog: "/blog",
  docs: "/docs",
  apiReference: "/docs/api",
  swapApi: "/swap-api",
  info: "/affiliate",
  support: "/support",
  authorities: "/for-competent-authorities",
  widget: "/widget",
};
const PAGES = Object.values(SAMPLES);
/** Four are rendered and eight wait: more at once are refused. */
const OF_ONE_VISITOR = 12;
const inRussian = (path: string) => (path === "/" ? "/ru" : `/ru${path}`);

async function open(state: SiteState = {}): Promise<RenderedSite> {
  const site = await renderedSite(state);
  onTestFinished(() => site[Symbol.asyncDispose]());
  return site;
}

// The app's source is read and compiled with its first pages.
beforeAll(async () => {
  await using site = await renderedSite();
  for (const path of PAGES) await site.get(path);
});

type Tag = Readonly<Record<string, string>>;

/** The head's tags as attributes; a title's text stands under `text`. */
function headOf(html: string): Tag[] {
  const head = /<head>([\s\S]*?)<\/head>/.exec(html)?.[1] ?? "";
  return [...head.matchAll(/<(title|meta|link)((?: [\w-]+(?:="[^"]*")?)*)>([^<]*)/g)].map(
    ([, tag = "", attributes = "", text = ""]) => ({
      tag,
      text,
      ...Object.fromEntries(
        Array.from(attributes.matchAll(/([\w-]+)="([^"]*)"/g), ([, name = "", value = ""]) => [
          name,
          value.replaceAll("&amp;", "&"),
        ]),
      ),
    }),
  );
}

const contentOf = (tags: readonly Tag[], name: string) =>
  tags.find((tag) => tag["name"] === name || tag["property"] === name)?.["content"];

/** The texts that a person sees, without the names of the languages themselves. */
const textsOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .split(/<[^>]*>/)
    .filter((text) => /\S/.test(text) && !/English|Русский/.test(text));

describe("the answer to a HEAD", () => {
  it("has the status, the redirect and the cookies of the GET, and renders nothing", async () => {
    const { renderToString } = vi.mocked(await import("react-dom/server"));
    const site = await open();
    const paths = [
      ...PAGES,
      "/nothing",
      "/ru/",
      "//orders",
      "/exchange-eth-nocoin",
      "/?ref=a",
      `/order/${"B".repeat(22)}`,
    ];
    for (const path of paths) {
      renderToString.mockClear();
      const { statusCode, headers, body } = await site.head(path);
      expect(renderToString).not.toHaveBeenCalled();
      const got = await site.get(path);
      expect([path, statusCode, headers.location, headers["set-cookie"], body]).toEqual([
        path,
        got.statusCode,
        got.headers.location,
        got.headers["set-cookie"],
        "",
      ]);
      expect(renderToString).toHaveBeenCalledTimes(got.headers.location === undefined ? 1 : 0);
    }
  });

  it("is 503 while the page is replaced", async () => {
    expect((await (await open({ health: "UNHEALTHY" })).head("/")).statusCode).toBe(503);
  });
});

describe("pages rendered at the same time", () => {
  it("are each in their own language, and the same as when rendered alone", async () => {
    const site = await open();
    const paths = PAGES.flatMap((path) => [path, inRussian(path)]);
    const render = async (path: string) => [path, (await site.get(path)).body.replace(/ nonce="[^"]*"/g, "")] as const;
    const alone: Record<string, string> = {};
    for (const path of paths) [, alone[path]] = await render(path);
    const requested = [...paths, ...paths];
    const rendered = [];
    for (let from = 0; from < requested.length; from += OF_ONE_VISITOR)
      rendered.push(...(await Promise.all(requested.slice(from, from + OF_ONE_VISITOR).map(render))));
    for (const [path, body] of rendered) {
      expect([path, body]).toEqual([path, alone[path]]);
      const isRussian = path.startsWith("/ru");
      const cyrillic = textsOf(body).filter((text) => /[а-яё]/i.test(text));
      if (isRussian) expect(cyrillic.length).toBeGreaterThan(5);
      else expect([path, cyrillic]).toEqual([path, []]);
    }
  });
});

describe("a rate lock of 15 minutes", () => {
  const textOf = async (site: RenderedSite, path: string) => textsOf((await site.get(path)).body).join(" ");

  it("is named on every page that promises one, in both languages", async () => {
    const site = await open({ settings: { rateLockMinutes: 15 } });
    for (const [path, english, russian] of [
      [
        "/",
        ["a fixed rate is locked for 15 minutes.", "within 15 minutes of creating"],
        ["фиксированный не меняется 15 минут.", "в течение 15 минут после"],
      ],
      ["/exchange-eth-usdt-erc20?mode=fixed", ["Locked for 15 minutes after"], ["Зафиксируем на 15 минут после"]],
      [
        "/exchange-eth-usdt-erc20?mode=fixed&step=destination",
        ["locked for 15\u00A0min"],
        ["Курс зафиксируем на 15\u00A0мин"],
      ],
    ] as const) {
      for (const [own, promises] of [
        [path, english],
        [inRussian(path), russian],
      ] as const) {
        const text = await textOf(site, own);
        for (const promise of promises) expect([own, text]).toEqual([own, expect.stringContaining(promise)]);
        expect([own, text]).toEqual([own, expect.not.stringMatching(/20\s(min|мин)/)]);
      }
    }
    const { body } = await site.get("/ru");
    expect(/<script type="application\/ld\+json"[\s\S]*?<\/script>/.exec(body)?.[0]).toContain("15 минут");
  });

  it.each([
    [1, "1 minute.", "1 минуту."],
    [2, "2 minutes.", "2 минуты."],
  ])("has the plural form of %d", async (rateLockMinutes, english, russian) => {
    const site = await open({ settings: { rateLockMinutes } });
    expect(await textOf(site, "/")).toContain(`a fixed rate is locked for ${english}`);
    expect(await textOf(site, "/ru")).toContain(`фиксированный не меняется ${russian}`);
  });
});

describe("every page's head", () => {
  it("has a sample here for every route", async () => {
    type Table = { readonly routes: readonly { readonly name: string; readonly path: RegExp }[] };
    const { routes } = await appSource<Table>("app/router/route-table.ts");
    for (const { name, path } of routes)
      expect([name, path.test((SAMPLES[name] ?? "").replace(/\?.*$/, ""))]).toEqual([name, true]);
    expect(routes.map(({ name }) => name).sort()).toEqual(Object.keys(SAMPLES).sort());
  });

  it("names the networks of a coin that is exchanged for itself", async () => {
    const site = await open();
    const { body } = await site.get("/exchange-usdt-trc20-usdt-erc20");
    const named = "Exchange USDT\u00A0(Tron) for USDT\u00A0(Ethereum)";
    expect(headOf(body).find(({ tag }) => tag === "title")?.["text"]).toBe(`${named} · Wherry`);
    expect(/<h1[^>]*>([^<]*)/.exec(body)?.[1]).toBe(named);
    expect(/<script type="application\/ld\+json"[\s\S]*?<\/script>/.exec(body)?.[0]).toContain(named);
  });

  it("names the page for readers, search engines and previews, and leads to it in every language (spec §2)", async () => {
    const site = await open();
    for (const path of PAGES) {
      const titles = new Set<string>();
      for (const [lang, own] of [
        ["en", path],
        ["ru", inRussian(path)],
      ] as const) {
        const { statusCode, body } = await site.get(own);
        expect([own, statusCode]).toEqual([own, 200]);
        expect(body).toContain(`<html lang="${lang}"`);
        const tags = headOf(body);
        const title = tags.find(({ tag }) => tag === "title")?.["text"] ?? "";
        titles.add(title);
        for (const text of [
          title,
          contentOf(tags, "description"),
          contentOf(tags, "og:title"),
          contentOf(tags, "og:description"),
          contentOf(tags, "twitter:title"),
          contentOf(tags, "twitter:description"),
        ]) {
          expect([own, text]).toEqual([own, expect.stringMatching(/\S{3}/)]);
          expect([own, text]).toEqual([own, expect.not.stringContaining("{{")]);
          expect([own, lang, /[а-яё]/i.test(text ?? "")]).toEqual([own, lang, lang === "ru"]);
        }
        expect(tags.filter(({ tag }) => tag === "title")).toHaveLength(1);
        const hasOwn = /^\/(?:exchange-|price\/)/.test(path);
        const picture = `${ORIGIN}${hasOwn ? `/pictures/${lang}${path}.png` : "/icons/card.png"}`;
        expect({
          card: contentOf(tags, "twitter:card"),
          images: [contentOf(tags, "og:image"), contentOf(tags, "twitter:image")],
          size: [contentOf(tags, "og:image:width"), contentOf(tags, "og:image:height")],
          url: contentOf(tags, "og:url"),
          locale: contentOf(tags, "og:locale"),
        }).toEqual({
          card: "summary_large_image",
          images: [picture, picture],
          size: ["1200", "630"],
          url: ORIGIN + own,
          locale: lang === "en" ? "en_US" : "ru_RU",
        });
        const links = tags
          .filter(({ rel, type }) => type === undefined && (rel === "canonical" || rel === "alternate"))
          .map(({ rel, hreflang, href }) => [rel, hreflang, href]);
        expect(links).toEqual([
          ["canonical", undefined, ORIGIN + own],
          ["alternate", "en", ORIGIN + path],
          ["alternate", "ru", ORIGIN + inRussian(path)],
          ["alternate", "x-default", ORIGIN + path],
        ]);
      }
      expect([path, titles.size]).toEqual([path, 2]);
    }
  });

  it("says what search engines may index, with structured data that is valid by its types", async () => {
    const site = await open();
    const kinds: Record<string, unknown> = {};
    for (const [name, path] of Object.entries(SAMPLES)) {
      const { body } = await site.get(path);
      structuredDataOf((await site.get(inRussian(path))).body);
      const graph = structuredDataOf(body)?.["@graph"] ?? [];
      kinds[name] = [contentOf(headOf(body), "robots"), ...graph.map((node) => node["@type"])];
    }
    expect(kinds).toEqual({
      home: [undefined, "Organization", "WebSite", "FAQPage"],
      popular: [undefined, "BreadcrumbList", "ItemList"],
      exchange: [undefined, "BreadcrumbList", "ExchangeRateSpecification", "FAQPage"],
      order: ["noindex"],
      orders: ["noindex"],
      stopRefund: ["noindex"],
      profile: ["noindex"],
      prices: [undefined, "BreadcrumbList"],
      price: [undefined, "BreadcrumbList", "ExchangeRateSpecification", "FAQPage"],
      blog: [undefined, "BreadcrumbList"],
      docs: [undefined, "BreadcrumbList"],
      apiReference: [undefined, "BreadcrumbList"],
      swapApi: [undefined, "BreadcrumbList"],
      info: [undefined, "BreadcrumbList", "FAQPage"],
      support: [undefined, "BreadcrumbList", "FAQPage"],
      authorities: [undefined, "BreadcrumbList"],
      widget: [undefined, "BreadcrumbList"],
    });
  });

  it("names a rating with the ends of its scale where its page shows one, and none anywhere else", async () => {
    const rating = { source: "Reviews", url: "https://reviews.example/wherry", value: "4.7", count: 214 };
    const find: typeof SOME_PAGES.find = async (locale, name) => {
      const page = await SOME_PAGES.find(locale, name);
      return page && { ...page, rating };
    };
    const site = await open({ pages: { find } });
    for (const path of ["/how-it-works", "/support", "/for-competent-authorities"].flatMap((one) => [
      one,
      inRussian(one),
    ])) {
      const { body } = await site.get(path);
      expect(body).toContain(rating.url);
      expect(structuredDataOf(body)?.["@graph"]).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ "@type": "Organization", "@id": `${ORIGIN}/#organization` }),
          {
            "@type": "AggregateRating",
            itemReviewed: { "@id": `${ORIGIN}/#organization` },
            ratingValue: "4.7",
            ratingCount: 214,
            bestRating: 5,
            worstRating: 1,
          },
        ]),
      );
    }
    for (const path of ["/", "/price/eth", "/exchange-eth-usdt-erc20"])
      expect((await site.get(path)).body).not.toContain("AggregateRating");
  });

  it("keeps the pairs that are neither popular nor asked for out of search, and out of the sitemap", async () => {
    const site = await open();
    const { body } = await site.get("/exchange-eth-dai-erc20");
    expect(contentOf(headOf(body), "robots")).toBe("noindex");
    const sitemap = (await site.get("/sitemaps/exchange.xml")).body;
    expect(sitemap).toContain(`${ORIGIN}/exchange-eth-usdt-erc20`);
    expect(sitemap).not.toContain("exchange-eth-dai-erc20");
  });
});

/** Those that search engines may keep. */
const indexedPages = () =>
  routes.flatMap(({ name, isIndexed }) => (isIndexed ? [{ name, path: SAMPLES[name] ?? "" }] : []));

describe("the check of SEO texts (spec §2, guard 5)", () => {
  it("passes for every page's own texts", async () => {
    const site = await open({ settings: { isSeoChecked: true } });
    for (const path of PAGES.flatMap((page) => [page, inRussian(page)]))
      expect([path, (await site.get(path)).statusCode]).toEqual([path, 200]);
  });

  it.each(indexedPages())("fails without any one of the texts of $name", async ({ name, path }) => {
    let without = "";
    const lacking: SeoTexts = (page, locale) =>
      Object.fromEntries(
        Object.entries(seoTexts(page, locale) ?? {}).filter(([key]) => `${locale} ${key}` !== without),
      );
    const site = await open({ seoTexts: lacking, settings: { isSeoChecked: true } });
    for (const key of ["title", "description", "openGraph", "twitter"].map((one) => `seo.${name}.${one}`))
      for (const locale of ["en", "ru"] as const) {
        without = `${locale} ${key}`;
        const { statusCode, body } = await site.get(locale === "en" ? path : inRussian(path));
        expect([without, statusCode]).toEqual([without, 500]);
        expect(body).toContain(`SEO keys of ${name} are missing or unreadable: ${key}`);
      }
  });

  it("fails the page whose texts are missing with 500, in that language alone, and names the key outside production", async () => {
    const site = await open({ seoTexts: brokenTexts, settings: { isSeoChecked: true } });
    const failed = await site.get("/popular-exchanges?x=1", { "x-example": "a-header", cookie: "access=a-secret" });
    expect(failed.statusCode).toBe(500);
    for (const part of ["Error 500", "/popular-exchanges?x=1", "x-example", "a-header"])
      expect(failed.body).toContain(part);
    expect(failed.body).not.toContain("a-secret");
    expect(failed.body).toContain("SEO keys of popular are missing or unreadable: seo.popular.description");
    expect((await site.get("/ru/popular-exchanges")).statusCode).toBe(200);
    expect((await site.get("/")).statusCode).toBe(200);
    expect(await bare(site, "/popular-exchanges")).toEqual([500, ""]);
  });

  it("gives no reason in production", async () => {
    const site = await open({ seoTexts: brokenTexts, settings: { isSeoChecked: true }, production: true });
    const failed = await site.get("/popular-exchanges", { "x-example": "a-header" });
    expect(failed.statusCode).toBe(500);
    expect(failed.body).not.toContain("SEO keys");
    expect(failed.body).not.toContain("a-header");
  });

  it("is off by default: the page's own texts serve", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { statusCode, body } = await (await open({ seoTexts: brokenTexts })).get("/popular-exchanges");
    expect(statusCode).toBe(200);
    expect(contentOf(headOf(body), "description")).toMatch(/popular pairs/);
    vi.restoreAllMocks();
  });
});

const bare = async (site: RenderedSite, path: string) => {
  const { statusCode, body } = await site.get(path, { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" });
  return [statusCode, body];
};

describe("a service that is down (spec §4)", () => {
  it.each(["TECHNICAL_DIFFICULTIES", "UNHEALTHY"] as const)(
    "answers 503 with its own layout while it is %s, but for the pages of orders, and 200 once it is back",
    async (health) => {
      const state: SiteState = { health };
      const site = await open(state);
      for (const path of ["/", "/ru", "/popular-exchanges", "/exchange-eth-usdt-erc20", "/nothing-here"]) {
        const { statusCode, headers, body } = await site.get(path);
        expect([path, statusCode, headers["retry-after"]]).toEqual([path, 503, "30"]);
        expect(body).toMatch(/w-down/);
        expect(body).not.toContain("w-calculator");
      }
      for (const path of [ORDER, "/order/pending", "/orders"]) {
        const { statusCode, body } = await site.get(path);
        expect([path, statusCode]).toEqual([path, 200]);
        expect(body).not.toMatch(/w-down/);
      }
      state.health = "OK";
      expect((await site.get("/")).statusCode).toBe(200);
    },
  );
});

describe("what isn't there (spec §2)", () => {
  it.each([
    ["/nothing-here", "Page Not Found: ", "/nothing-here"],
    ["/nothing-here?a=1&b=2", "Page Not Found: ", "/nothing-here?a=1&amp;b=2"],
    ["/ru/nothing-here", "Страница не найдена: ", "/ru/nothing-here"],
    ["/exchange-eth-eth", "Page Not Found: ", "/exchange-eth-eth"],
  ])("%s is a 404 that says '%s%s'", async (path, before, full) => {
    const site = await open();
    const { statusCode, body } = await site.get(path);
    expect(statusCode).toBe(404);
    expect(body).toContain(`${before}<code><bdi class="w-foreign-text" translate="no">${full}</bdi></code>`);
    expect(body).toContain(`"message":"Page Not Found: ${full.replaceAll("&amp;", "&")}"`);
    expect(await bare(site, path)).toEqual([404, ""]);
  });
});
