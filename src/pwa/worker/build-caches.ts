declare const self: ServiceWorkerGlobalScope;

/** Files that are cached when first needed; their names are hashed, so builds share them. */
export const ON_DEMAND = "wherry-on-demand";

/** Every file that the pages of a build may request. */
export const filesOf = (build: string): string => `wherry-build-${build}`;
/** Pages that the server rendered for a build. */
export const pagesOf = (build: string): string => `wherry-pages-${build}`;
/** Articles that were read in the app of a build. */
export const articlesOf = (build: string): string => `wherry-articles-${build}`;

/**
 * The caches that nothing needs any more. `open` are the builds of all open pages, null when one of them didn't answer: it may be
 * suspended, and would resume without its lazy chunks. Old pages are deleted at once, since no new visit may see them.
 * @internal
 */
export function outdated(names: readonly string[], own: string, open: readonly string[] | null): string[] {
  const needed = new Set([ON_DEMAND, pagesOf(own), articlesOf(own), filesOf(own), ...(open ?? []).map(filesOf)]);
  const isFiles = (name: string): boolean => name.startsWith(filesOf(""));
  return names.filter((name) => !needed.has(name) && (open !== null || !isFiles(name)));
}

/** A running page answers at once; a suspended one never does. */
const ANSWER_MS = 2_000;

/** Deletes the caches that neither this build nor any open page of another one needs. */
export async function deleteOutdatedCaches(own: string): Promise<void> {
  const names = await caches.keys();
  const open = await openBuilds();
  // A newer build that is being installed has cached its files already, and no page of it is open.
  if (self.registration.installing !== null || self.registration.waiting !== null) return;
  await Promise.all(outdated(names, own, open).map((name) => caches.delete(name)));
}

/** The builds of all open pages; null when one of them doesn't answer. */
async function openBuilds(): Promise<string[] | null> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const answers = await Promise.all(pages.map(ask));
  return answers.every((build) => build !== null) ? answers : null;
}

function ask(page: Client): Promise<string | null> {
  return new Promise((answered) => {
    const { port1, port2 } = new MessageChannel();
    setTimeout(() => answered(null), ANSWER_MS);
    port1.addEventListener("message", ({ data }: MessageEvent<unknown>) =>
      answered(typeof data === "string" ? data : null),
    );
    port1.start();
    page.postMessage({ type: "WHICH_BUILD" }, [port2]);
  });
}
