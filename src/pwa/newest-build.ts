/** Asks which build is the newest (spec §7), past every cache; null without an answer: the next look asks again. */
export async function newestBuild(): Promise<string | null> {
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
