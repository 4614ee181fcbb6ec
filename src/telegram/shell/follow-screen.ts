/** Whatever a screen's buttons and dialogs differ in. */
const ATTRIBUTES = ["open", "class", "disabled", "aria-label", "data-native-label"];

/** Looks now, and whenever the page or its address has changed. */
export function followScreen(look: () => void): void {
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ATTRIBUTES,
  });
  for (const event of ["popstate", "pushState", "replaceState"]) addEventListener(event, look);
  look();
}

/** The dialogs and sheets that are open, the one on top last. */
export const openDialogs = (): HTMLDialogElement[] => [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")];
