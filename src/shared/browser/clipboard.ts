import { playHaptic } from "./haptics.ts";

/** Copies text; false when the browser refused, so that the caller can say so. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await write(text);
  if (isCopied) playHaptic("copy");
  return isCopied;
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No permission or no secure context: the selection command still works there.
    return copyBySelection(text);
  }
}

/** Text from the clipboard, in a click handler; null when it is empty or the user refused. */
export async function readClipboardText(): Promise<string | null> {
  try {
    return (await navigator.clipboard.readText()).trim() || null;
  } catch {
    // Refused: the caller moves the focus to the field, where the keyboard's own paste works.
    return null;
  }
}

/** Whether a paste button can work: a web view may refuse the clipboard without asking the user. */
export async function canReadClipboard(): Promise<boolean> {
  const clipboard = navigator.clipboard as { readText?: unknown } | undefined;
  if (clipboard?.readText === undefined) return false;
  try {
    const { state } = await navigator.permissions.query({ name: "clipboard-read" as PermissionName });
    return state !== "denied";
  } catch {
    // Browsers without this permission ask at each read.
    return true;
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
