import type { HeadInput } from "./head.ts";

/** Lets the head follow what is shown. Its code comes with the first move, since the server has written the first page's head. */
export async function showHead(input: HeadInput): Promise<void> {
  try {
    const { applyHead, headTags } = await import("./head.ts");
    applyHead(headTags(input));
  } catch (error) {
    console.warn("the page's head stays as it was", error);
  }
}
