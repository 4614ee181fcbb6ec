import { feel } from "./haptics.ts";

/** Copies text; false when the browser refused, so that the caller can say so. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await copied(text);
  if (isCopied) feel("copy");
  return isCopied;
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No permission or no secure context: the selection command still works there.
    return copyBySelection(text);
  }
}

/** Text from the clipboard; null when the browser has none to give or the reader refused. */
export async function pasteText(): Promise<string | null> {
  try {
    return (await navigator.clipboard.readText()).trim() || null;
  } catch {
    // Refused: the caller moves the focus to the field, where the keyboard's own paste works.
    return null;
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const host = document.querySelector("dialog[open]") ?? document.body;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "w-visually-hidden";
  host.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
