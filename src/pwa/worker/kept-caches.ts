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
