import { Fragment, type ReactNode } from "react";
import { proxy, ref, useSnapshot } from "valtio";
import { useHydrated } from "./use-hydrated.ts";

type Overlay = { readonly key: number; readonly content: ReactNode };

const overlays = proxy<{ shown: Overlay[] }>({ shown: [] });
let lastKey = 0;

/**
 * Shows what no page knows, such as a question of the mini-app, beside the page. A React root of its own would not do:
 * a commit of one root runs the effects of another, and React 19.3 then fails with "Cannot commit the same tree as
 * before" (error 177). Returns what removes it.
 */
export function addOverlay(content: ReactNode): () => void {
  const overlay = ref({ key: (lastKey += 1), content });
  overlays.shown.push(overlay);
  return () => {
    overlays.shown = overlays.shown.filter(({ key }) => key !== overlay.key);
  };
}

/** The server renders none of them, so the first render in the browser has none either. */
export function Overlays() {
  const { shown } = useSnapshot(overlays);
  const isHydrated = useHydrated();
  return isHydrated ? shown.map(({ key, content }) => <Fragment key={key}>{content as ReactNode}</Fragment>) : null;
}
