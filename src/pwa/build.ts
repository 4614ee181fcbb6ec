/** The build that this page was loaded with; `dev` while nothing is built. */
export const ownBuild = (): string => document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? "dev";

/** Asks which build is the latest (spec §7), past every cache; null without an answer. */
export async function latestBuild(): Promise<string | null> {
  try {
    const response = await fetch(`/builds/latest.json?${Date.now()}`, { cache: "no-store" });
    const answer: unknown = response.ok ? await response.json() : null;
    return typeof answer === "object" && answer !== null && "id" in answer && typeof answer.id === "string"
      ? answer.id
      : null;
  } catch (error) {
    console.debug("the latest build is unknown now", error);
    return null;
  }
}
