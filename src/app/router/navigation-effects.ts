import { useEffect, useLayoutEffect, useRef } from "react";
import { percentDecoded } from "#contract/links/percent-decoding.ts";
import { localeOf } from "../../shared/i18n/create-i18n.ts";
import { useI18n } from "../../shared/i18n/index.ts";
import { trackPageView } from "../analytics.ts";
import { updateHead } from "../head/update-head.ts";
import type { PageView } from "./page-view.ts";

type Shown = { readonly view: PageView; readonly path: string };

/** After a navigation inside the app: scrolls to the top, moves the focus to the page and updates the head. */
export function useNavigationEffects(shown: Shown): void {
  const i18n = useI18n();
  const scrolled = useRef(shown);
  const told = useRef(shown);
  // Before the page is seen, and before the effects of its parts: whoever takes the focus from then on keeps it.
  useLayoutEffect(() => {
    const previous = scrolled.current;
    scrolled.current = shown;
    if (screenOf(previous) === screenOf(shown)) return;
    const section = sectionOfHash();
    if (section === null) scrollTo(0, 0);
    else section.scrollIntoView();
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [shown]);
  useEffect(() => {
    if (told.current === shown) return;
    told.current = shown;
    trackPageView(shown.view, localeOf(i18n));
    const query = new URLSearchParams(location.search);
    void updateHead({ view: shown.view, i18n, path: shown.path, query, origin: location.origin });
  }, [shown, i18n]);
}

/** The part of the new page that the URL's hash names. */
function sectionOfHash(): Element | null {
  const id = percentDecoded(location.hash.slice(1));
  return id === null ? null : document.getElementById(id);
}

/** All pairs share one screen, on which the user stays while choosing coins. */
const screenOf = ({ view, path }: Shown): string =>
  view.kind === "page" && view.route.name === "exchange" ? "exchange" : path;
