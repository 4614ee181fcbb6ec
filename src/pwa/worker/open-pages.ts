import * as z from "zod/mini";
import { localeBase, splitLocale } from "../../shared/i18n/locale.ts";

declare const self: ServiceWorkerGlobalScope;

const defaultPairSchema = z.object({
  instrumentFrom: z.object({ slug: z.string() }),
  instrumentTo: z.object({ slug: z.string() }),
});

/**
 * What a worker that takes control has to cache: the pages that were loaded before it, and in their languages home and the default
 * calculator, which open offline whatever was visited.
 */
export async function pagesToCache(): Promise<URL[]> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const urls = pages.map(({ url }) => new URL(url));
  const calculator = await defaultCalculator();
  const paths = urls.flatMap(({ pathname }) => {
    const base = localeBase(splitLocale(pathname).locale);
    return [base === "" ? "/" : base, ...(calculator === null ? [] : [base + calculator])];
  });
  const own = [...new Set(paths)].map((path) => new URL(path, self.location.origin));
  const known = new Set(own.map(({ href }) => href));
  return [...own, ...urls.filter(({ href }) => !known.has(href))];
}

async function defaultCalculator(): Promise<string | null> {
  try {
    const answer = await fetch("/api/v1/pairs/default");
    const { instrumentFrom, instrumentTo } = defaultPairSchema.parse(await answer.json());
    return `/exchange-${instrumentFrom.slug}-${instrumentTo.slug}`;
  } catch (error) {
    console.debug("the default pair is unknown now", error);
    return null;
  }
}
