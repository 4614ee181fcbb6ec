import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LightMyRequestResponse } from "fastify";
import type { HealthStatus } from "#contract/health.ts";
import { DEFAULT_SITE_SETTINGS, type SiteSettings } from "#contract/site/ssr.ts";
import type { EntryServer } from "#contract/site/ssr.ts";
import { noDatabase } from "../database/no-database.ts";
import type { Pages } from "../../../server/content/pages.ts";
import type { Articles } from "../../../server/content/articles.ts";
import type { SeoTexts } from "../../../server/content/seo-texts.ts";
import type { Prices } from "../../../server/prices/index.ts";
import { sitePlugin } from "../../../server/site/site.ts";
import { anOrder, closedOrderService, PUBLIC_URL, testApp } from "./http-app.ts";

const SOURCE = fileURLToPath(new URL("../../../src/", import.meta.url));
const TEMPLATE =
  '<!doctype html><html lang="en"><head><!--head--><script type="module" crossorigin src="/assets/index-1.js"></script></head><body><div id="root"><!--app--></div><!--data--></body></html>';
/** A module of the app by its path in src/, outside of Node's types. */
export const appSource = async <Module>(path: string): Promise<Module> => (await import(join(SOURCE, path))) as Module;

/** The renderer can't load the app's source itself: it uses what the test has loaded. */
const ENTRY = `
export const render = (request) => globalThis.appUnderTest.render(request);
export const sitemap = (request) => globalThis.appUnderTest.sitemap(request);`;

const NO_STATS = {
  ordersTotal: null,
  orders24h: null,
  medianSeconds: null,
  completedShare: null,
  coins: null,
  networks: null,
};

const SOME_PRICES: Prices = {
  list: async () => [
    {
      symbol: "eth",
      name: "Ethereum",
      slugs: ["eth"],
      priceUsd: "3000",
      change24h: "1.24",
      change7d: null,
      sparkline: [null, "2990", "3000"],
    },
  ],
  history: async (symbol, range) => ({
    symbol,
    range,
    points: [
      ["2026-11-21T10:00:00.000Z", "2990"],
      ["2026-11-21T11:00:00.000Z", "3000"],
    ],
    updatedAt: "2026-11-21T12:00:00.000Z",
    day: { low: "2950", high: "3010" },
  }),
};

/** The pages about the exchange, in their own words. */
export const SOME_PAGES: Pages = {
  find: async (locale, name) => ({
    title: locale === "en" ? `About ${name}` : "О сервисе",
    description: locale === "en" ? "What it is." : "Что это такое.",
    updatedAt: null,
    html: "",
    sections:
      locale === "en"
        ? [
            {
              id: "a",
              title: "Part",
              html: "",
              questions: [{ id: "b", title: "Why?", html: "<p>So.</p>", text: "So." }],
            },
          ]
        : [
            {
              id: "a",
              title: "Часть",
              html: "",
              questions: [{ id: "b", title: "Почему?", html: "<p>Так.</p>", text: "Так." }],
            },
          ],
    operator: { company: null, email: null, links: [] },
    hasForms: true,
    rating: null,
  }),
};

export type RenderedSite = AsyncDisposable & {
  readonly get: (url: string, headers?: Record<string, string>, address?: string) => Promise<LightMyRequestResponse>;
  readonly head: (url: string) => Promise<LightMyRequestResponse>;
};

export type SiteState = {
  readonly settings?: Partial<SiteSettings>;
  readonly production?: boolean;
  health?: HealthStatus;
  readonly articles?: Articles;
  readonly hasRemoteArticles?: boolean;
  readonly pages?: Pages;
  readonly seoTexts?: SeoTexts;
};

/** The real HTTP side with the real renderer of pages, from source; one order is known, at its own address. */
export async function renderedSite(state: SiteState = {}): Promise<RenderedSite> {
  const folder = mkdtempSync(join(tmpdir(), "wherry-pages-"));
  for (const [file, text] of [
    ["client/index.html", TEMPLATE],
    ["client/embed.html", TEMPLATE],
    ["client/.vite/manifest.json", "{}"],
    ["server/package.json", '{"type":"module"}'],
    ["server/ssr.js", ENTRY],
  ] as const) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  Object.assign(globalThis, { appUnderTest: await appSource<EntryServer>("ssr.tsx") });
  const app = await testApp(noDatabase(), {
    health: { status: () => state.health ?? "OK" },
    ...(state.articles && { articles: state.articles }),
    pages: state.pages ?? SOME_PAGES,
    ...(state.seoTexts && { seoTexts: state.seoTexts }),
    prices: SOME_PRICES,
    orderService: closedOrderService({
      info: async () => anOrder(),
      stats: async () => NO_STATS,
      pairActivity: async () => ({ isAskedFor: false, latest: [], statistics: null }),
      askedPairs: async () => [],
    }),
    site: (instance) =>
      sitePlugin(instance, {
        config: { publicUrl: PUBLIC_URL, sandbox: false, production: state.production ?? false },
        settings: { ...DEFAULT_SITE_SETTINGS, ...state.settings },
        distDir: folder,
        clock: { now: () => new Date("2026-11-21T12:00:00.000Z") },
        ...(state.hasRemoteArticles && { hasRemoteArticles: true }),
        // Whoever asks for the profile is signed in.
        isSignedIn: async ({ url }) => /^(?:\/ru)?\/profile\//.test(url),
      }),
  });
  return {
    get: (url, headers = {}, remoteAddress = "127.0.0.1") => app.inject({ url, headers, remoteAddress }),
    head: (url) => app.inject({ method: "HEAD", url }),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
