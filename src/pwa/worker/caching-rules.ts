/** What the worker does with a request. */
export type CachingStrategy =
  /** The browser asks the network, as if there were no worker. */
  | "not handled"
  /** From this device, whichever build kept it: a hashed name never means another file. Else from the network, and kept. */
  | "cache first"
  /** This build's own copy, else the network. */
  | "precached"
  /** The network's answer, kept when its status is 200; after 4 s or without a network the kept one, else the shell. */
  | "network first"
  /** The network's answer, which is never kept; without a network the shell, which shows what the device has. */
  | "network or shell";

export type Asked = {
  readonly method: string;
  readonly url: URL;
  /** A page is being opened, as against a file that a page needs. */
  readonly isNavigation: boolean;
};

type Row = { readonly of: string; readonly is: (asked: Asked) => boolean; readonly strategy: CachingStrategy };

/** Prices, orders, accounts, and the signals of which build is the newest: an old answer would be a wrong one. */
const ANSWERS = /^\/(?:api|dict|sandbox|metrics|builds)(?:\/|$)/;
/** A page whose address holds a destination address or whose content is one person's. */
const PRIVATE = /^(?:\/[a-z]{2})?\/(?:order|orders|profile|lk)(?:\/|$)/;
const DRAWN = new Set(["/icons/icon.svg", "/icons/coins.svg"]);
const FILE = /\.\w+$/;

const path = ({ url }: Asked): string => url.pathname;
/** Launched by Telegram: the launch parameters identify the user. */
const isLaunch = ({ url }: Asked): boolean => /[?&#]tgWebApp/.test(url.search + url.hash);

/** The first row that fits a request counts; `docs/pwa.md` says why each is as it is. */
export const CACHING_RULES: readonly Row[] = [
  { of: "anything that changes something", is: ({ method }) => method !== "GET", strategy: "not handled" },
  { of: "answers of the service", is: (asked) => ANSWERS.test(path(asked)), strategy: "not handled" },
  { of: "hashed files of a build", is: (asked) => path(asked).startsWith("/assets/"), strategy: "cache first" },
  { of: "pictures that pages draw", is: (asked) => DRAWN.has(path(asked)), strategy: "precached" },
  { of: "other files, the worker's own too", is: (asked) => FILE.test(path(asked)), strategy: "not handled" },
  {
    of: "pages of orders and accounts, launches",
    is: (asked) => asked.isNavigation && (PRIVATE.test(path(asked)) || isLaunch(asked)),
    strategy: "network or shell",
  },
  { of: "all other pages", is: ({ isNavigation }) => isNavigation, strategy: "network first" },
];

export const cachingStrategyOf = (asked: Asked, ownOrigin: string): CachingStrategy =>
  asked.url.origin === ownOrigin
    ? (CACHING_RULES.find((row) => row.is(asked))?.strategy ?? "not handled")
    : "not handled";

/** Says where a visit came from, and changes nothing of the page. */
const ORIGIN_ONLY = /^(?:source|utm_\w+|gclid|gad_source)$/;

/** The address that a page is kept under: the home screen opens `/?source=pwa`, which is `/`. */
export function pageKey(url: URL): string {
  const key = new URL(url);
  for (const name of url.searchParams.keys()) if (ORIGIN_ONLY.test(name)) key.searchParams.delete(name);
  key.hash = "";
  return key.href;
}
