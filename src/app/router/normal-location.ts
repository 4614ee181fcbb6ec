import type { Path } from "wouter";
import { navigate, useBrowserLocation } from "wouter/use-browser-location";

/** wouter joins a language's base and `/` to `/ru/`, whose normal form is `/ru` (guard 4 of spec §2). */
export const withoutTrailingSlash = (href: string): string => href.replace(/^(\/[^?#]+?)\/(?=$|[?#])/, "$1");

const navigateToNormal: typeof navigate = (to, options) => navigate(withoutTrailingSlash(String(to)), options);

/** wouter's location hook, navigating to normal URLs only. */
export const useNormalLocation = (options?: { ssrPath?: Path }): [Path, typeof navigate] => [
  useBrowserLocation(options)[0],
  navigateToNormal,
];
