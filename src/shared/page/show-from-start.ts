/** Shows a list that was changed from its start, and puts the focus there. */
export function showFromStart(list: HTMLElement | null): void {
  // The focus alone scrolls nothing while some of what was there before is still in view.
  list?.scrollIntoView({ block: "start" });
  list?.focus({ preventScroll: true });
}
