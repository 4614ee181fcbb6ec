import { useSyncExternalStore } from "react";

type Navigate = (to: string, options?: { replace?: boolean }) => void;

/** The screens that the widget has; every other page of the site opens beside it. */
const INSIDE = /^\/(?:exchange-|order\/|$)/;

let current = "/";
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The server renders the first screen alone. */
const useCurrent = (): string =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => "/",
  );

/**
 * The widget's location for wouter. It lives in memory: the frame's own address names no order, and its steps are no steps of the
 * history of the page around it.
 */
export const useEmbedLocation = (): [string, Navigate] => [useCurrent().replace(/\?.*$/, ""), navigate];

export const useEmbedSearch = (): string => useCurrent().replace(/^[^?]*\??/, "");

const navigate: Navigate = (to) => {
  if (!INSIDE.test(to)) {
    open(hrefOf(to), "_blank", "noopener");
    return;
  }
  current = to;
  for (const listener of listeners) listener();
};

/** The page of the site, for a link that is opened in a new tab. */
const hrefOf = (path: string): string =>
  document.documentElement.lang === "ru" ? `/ru${path === "/" ? "" : path}` : path;
