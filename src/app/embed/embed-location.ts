import { localePath, toLocale } from "#contract/locale.ts";
import { proxy, useSnapshot } from "valtio";

type Navigate = (to: string, options?: { replace?: boolean }) => void;

/** The screens that the widget has; every other page of the site opens beside it. */
const INSIDE = /^\/(?:exchange-|order\/|$)/;

/** Not wouter's `memoryLocation`: that one can't be rendered by a server, nor hydrated. */
const current = proxy({ url: "/" });

/**
 * The widget's location for wouter. It lives in memory: the frame's own address names no order, and its steps are no steps of the
 * history of the page around it.
 */
export const useEmbedLocation = (): [string, Navigate] => [useSnapshot(current).url.replace(/\?.*$/, ""), navigate];

export const useEmbedSearch = (): string => useSnapshot(current).url.replace(/^[^?]*\??/, "");

const navigate: Navigate = (to) => {
  if (!INSIDE.test(to)) {
    open(hrefOf(to), "_blank", "noopener");
    return;
  }
  current.url = to;
};

/** The page of the site, for a link that is opened in a new tab. */
const hrefOf = (path: string): string => localePath(toLocale(document.documentElement.lang), path);
