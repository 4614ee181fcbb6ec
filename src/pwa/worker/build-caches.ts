declare const self: ServiceWorkerGlobalScope;

/** Files that a build does without until somebody needs them; their names are hashed, so builds share them. */
export const ON_DEMAND = "wherry-on-demand";

/** Every file that the pages of a build may ask for. */
export const filesOf = (build: string): string => `wherry-build-${build}`;
/** Pages as the server rendered them for a build. */
export const pagesOf = (build: string): string => `wherry-pages-${build}`;

/**
 * Which of the device's caches nobody needs any more. `open` are the builds of all open pages, null when one of them didn't
 * say: it may be asleep, and would wake without its lazy chunks. Old pages go at once, since no new visit may see them.
 */
export function outdated(names: readonly string[], own: string, open: readonly string[] | null): string[] {
  const needed = new Set([ON_DEMAND, pagesOf(own), filesOf(own), ...(open ?? []).map(filesOf)]);
  const isFiles = (name: string): boolean => name.startsWith(filesOf(""));
  return names.filter((name) => !needed.has(name) && (open !== null || !isFiles(name)));
}

/** A page that is awake answers in no time; one that sleeps never does. */
const ANSWER_MS = 2_000;

/** Drops the caches that neither this build nor any open page of another one needs. */
export async function dropOutdatedCaches(own: string): Promise<void> {
  const names = await caches.keys();
  const open = await openBuilds();
  // A newer build that is coming keeps its files already, and no page of it is open.
  if (self.registration.installing !== null || self.registration.waiting !== null) return;
  await Promise.all(outdated(names, own, open).map((name) => caches.delete(name)));
}

/** The builds of all open pages; null when one of them doesn't say. */
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
