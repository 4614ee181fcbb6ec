import type { Path } from "wouter";
import { navigate, useBrowserLocation } from "wouter/use-browser-location";

/** The router joins a language's base and `/` to `/ru/`; the one form of that address is `/ru` (guard 4 of spec §2). */
export const tidyHref = (href: string): string => href.replace(/^(\/[^?#]+?)\/(?=$|[?#])/, "$1");

const navigateTidily: typeof navigate = (to, options) => navigate(tidyHref(String(to)), options);

export const useTidyLocation = (options?: { ssrPath?: Path }): [Path, typeof navigate] => [
  useBrowserLocation(options)[0],
  navigateTidily,
];
