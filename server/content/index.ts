import { join } from "node:path";
import type { RedirectRule } from "#contract/site/site.ts";
import type { Log } from "../base/logging/log.ts";
import type { Closers } from "../base/processes/run-process.ts";
import { type Articles, openArticles } from "./articles.ts";
import { openPages, type PageFigures, type Pages } from "./pages.ts";
import { watchRating } from "./rating.ts";
import { readRedirects } from "./redirects.ts";
import { NO_SITE_FILE, readSiteFile, type SiteFile } from "./site-file.ts";

/** What the operator gives by configuration; null: nothing of the kind. */
type SiteSources = {
  contentUrl: string | null;
  redirectsFile: string | null;
  siteFile: string | null;
  ratingUrl: string | null;
  operatorEmail: string | null;
};

type Parts = {
  config: { site: SiteSources; distDir: string };
  figures: PageFigures;
  log: Log;
};

export type Content = {
  articles: Articles;
  pages: Pages;
  redirects: readonly RedirectRule[];
  /** Where the build has written the articles' covers and pictures. */
  articlePicturesDir: string;
};

/** The operator's files about pages. Throws `ConfigError` for one that is not usable. */
export const readContentFiles = ({ siteFile, redirectsFile }: Pick<SiteSources, "siteFile" | "redirectsFile">) => ({
  siteFile: siteFile === null ? NO_SITE_FILE : readSiteFile(siteFile),
  redirects: redirectsFile === null ? [] : readRedirects(redirectsFile),
});

/** Articles, pages and redirects as the operator has configured them; a source that is watched ends with `closers`. */
export async function openContent(parts: Parts, closers: Closers): Promise<Content> {
  const { site, distDir } = parts.config;
  const { siteFile, redirects } = readContentFiles(site);
  return {
    articles: await articlesOf(parts),
    pages: pagesOf(parts, siteFile, closers),
    redirects,
    articlePicturesDir: join(distDir, "content"),
  };
}

/** Those of the build, or of another host, whose sanitiser is loaded only then. */
async function articlesOf({ config: { site, distDir }, log }: Parts): Promise<Articles> {
  if (site.contentUrl === null) return openArticles(join(distDir, "content"), () => new Date());
  const { openRemoteArticles } = await import("./remote-articles.ts");
  return openRemoteArticles({ host: site.contentUrl, log });
}

function pagesOf({ config, figures, log }: Parts, siteFile: SiteFile, closers: Closers): Pages {
  const { ratingUrl, operatorEmail } = config.site;
  const rating = ratingUrl === null ? null : watchRating(ratingUrl, log);
  if (rating !== null) closers.add(() => rating.stop());
  return openPages({
    folder: join(config.distDir, "content/pages"),
    siteFile,
    figures,
    hasForms: operatorEmail !== null,
    rating: () => rating?.current() ?? null,
  });
}
