import type { HeadInput } from "./head.ts";

/** Updates the head for a view. Loaded with the first navigation, because the server wrote the first page's head. */
export async function updateHead(input: HeadInput): Promise<void> {
  try {
    const { applyHead, headTags } = await import("./head.ts");
    applyHead(headTags(input));
  } catch (error) {
    console.warn("the page's head stays as it was", error);
  }
}
