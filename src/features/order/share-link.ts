import { copyText } from "../../platform/clipboard.ts";

/** Offers the device's own share sheet, and copies where there is none; says what came of it. */
export async function shareLink(title: string, url: string): Promise<"shared" | "copied" | "failed"> {
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title, url });
      return "shared";
    } catch (error) {
      // Closing the sheet is an answer; anything else falls back to copying.
      if (error instanceof DOMException && error.name === "AbortError") return "shared";
    }
  }
  return (await copyText(url)) ? "copied" : "failed";
}
