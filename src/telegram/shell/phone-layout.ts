/** Where the web's layout stops being a phone's; inside the messenger a phone's is kept up to 1023 px (ui.md §5). */
const BREAKPOINT = /(width\s*(?:>=|<)\s*)(?:600|768)px/g;

/** Moves the breakpoints of every style sheet, those to come too, so that no style has to know where it is shown. */
export function keepPhoneLayout(): void {
  for (const sheet of document.styleSheets) raise(sheet);
  // A link's load doesn't bubble.
  const loaded = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.sheet !== null) raise(target.sheet);
  };
  document.addEventListener("load", loaded, { capture: true });
}

function raise(sheet: CSSStyleSheet): void {
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSMediaRule)) continue;
    const text = rule.media.mediaText.replaceAll(BREAKPOINT, (_, compared: string) => `${compared}1024px`);
    if (text !== rule.media.mediaText) rule.media.mediaText = text;
  }
}
