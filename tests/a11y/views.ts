import { test } from "../e2e/support/test.ts";
import type { Locale } from "../e2e/support/texts.ts";
import { DESKTOP, PHONE } from "../e2e/support/widths.ts";

/** Each half of the views has both languages, both themes and both widths; together they have each pair of those. */
const VIEWS = [
  { width: "phone", lang: "en", colorScheme: "light", device: PHONE, half: 0 },
  { width: "desktop", lang: "ru", colorScheme: "dark", device: DESKTOP, half: 0 },
  { width: "phone", lang: "ru", colorScheme: "dark", device: PHONE, half: 1 },
  { width: "desktop", lang: "en", colorScheme: "light", device: DESKTOP, half: 1 },
] as const satisfies readonly { lang: Locale; [key: string]: unknown }[];

type ShareOf = <State>(states: readonly State[]) => State[];

type Width = (typeof VIEWS)[number]["width"];

/** Declares tests in four views. Each state of a list is for one of a width: `shareOf` gives a view's own. */
export function inEachView(declare: (shareOf: ShareOf, width: Width) => void): void {
  for (const { width, lang, colorScheme, device, half } of VIEWS)
    // A phone too is in this project, so that all share one worker and its server.
    test.describe(`${width}, ${lang}, ${colorScheme}`, { tag: "@desktop" }, () => {
      test.use({ ...device, lang, colorScheme, contextOptions: { reducedMotion: "reduce" } });
      declare((states) => states.filter((_, at) => at % 2 === half), width);
    });
}
