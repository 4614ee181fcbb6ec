/** What a JSON text says of a card; null unless it is an object of texts. */
export function parseTags(json: string): Readonly<Record<string, string>> | null {
  try {
    const tags: unknown = JSON.parse(json);
    if (typeof tags !== "object" || tags === null || Array.isArray(tags)) return null;
    return Object.values(tags).every((text) => typeof text === "string") ? (tags as Record<string, string>) : null;
  } catch {
    // Not JSON: the caller says which key it was.
    return null;
  }
}
