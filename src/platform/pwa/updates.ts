import { useSyncExternalStore } from "react";

/** The build that this page was loaded with; `dev` while nothing is built. */
export const ownBuild = (): string => document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? "dev";

let waitingBuild: string | null = null;
const listeners = new Set<() => void>();

/** Told by whichever signal comes first: the build's own file, or a worker that waits. */
export function announceUpdate(build: string): void {
  if (waitingBuild === build) return;
  waitingBuild = build;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The build that waits to be loaded; null while this page is the newest. */
export const useUpdate = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => waitingBuild,
    () => null,
  );

/** Asks which build is the newest (spec §7); true when it is not this one. No answer is no news: the next check asks again. */
export async function checkForUpdate(): Promise<boolean> {
  const newest = await newestBuild();
  if (newest === null || newest === ownBuild()) return false;
  announceUpdate(newest);
  return true;
}

async function newestBuild(): Promise<string | null> {
  try {
    const response = await fetch(`/builds/latest.json?${Date.now()}`, { cache: "no-store" });
    const answer: unknown = response.ok ? await response.json() : null;
    return typeof answer === "object" && answer !== null && "id" in answer && typeof answer.id === "string"
      ? answer.id
      : null;
  } catch (error) {
    console.debug("the newest build can't be asked for now", error);
    return null;
  }
}
