import { feel } from "./haptics.ts";
import { openMessenger } from "../../telegram/sdk/open.ts";
import { isInMessenger } from "../../telegram/sdk/shell.ts";

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

/**
 * Whether a button that pastes can do anything. Browsers ask their reader; inside the messenger a web view may refuse without asking, and the client
 * gives its clipboard to few.
 */
export async function canPaste(): Promise<boolean> {
  if (!isInMessenger() || (await openMessenger())?.givesClipboard === true) return true;
  const clipboard = navigator.clipboard as { readText?: unknown } | undefined;
  if (clipboard?.readText === undefined) return false;
  try {
    const { state } = await navigator.permissions.query({ name: "clipboard-read" as PermissionName });
    return state !== "denied";
  } catch {
    // Browsers that know no such permission ask at each reading.
    return true;
  }
}

/** Text from the clipboard, in a press; null when there is none to give or the reader refused. */
export async function pasteText(): Promise<string | null> {
  const messenger = await openMessenger();
  if (messenger?.givesClipboard === true) {
    const given = await messenger.readClipboard();
    if (given !== null) return given;
  }
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
