import * as z from "zod/mini";
import { localeBase, splitLocale } from "#contract/locale.ts";

declare const self: ServiceWorkerGlobalScope;

const defaultPairSchema = z.object({
  instrumentFrom: z.object({ slug: z.string() }),
  instrumentTo: z.object({ slug: z.string() }),
});

/** The pages that were loaded before the worker, which it has to cache before it takes control. */
export async function openPages(): Promise<URL[]> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.map(({ url }) => new URL(url));
}

/** Home and the default calculator, in the languages of the open pages: they open offline whatever was visited, without a query. */
export async function startPages(open: readonly URL[]): Promise<URL[]> {
  const calculator = await defaultCalculator();
  const paths = open.flatMap(({ pathname }) => {
    const base = localeBase(splitLocale(pathname).locale);
    return [base === "" ? "/" : base, ...(calculator === null ? [] : [base + calculator])];
  });
  const known = new Set(open.map(({ href }) => href));
  return [...new Set(paths)].map((path) => new URL(path, self.location.origin)).filter(({ href }) => !known.has(href));
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
