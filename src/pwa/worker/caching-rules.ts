/** What the worker does with a request. */
export type CachingStrategy =
  /** The browser asks the network, as if there were no worker. */
  | "not handled"
  /** From any cache, since a hashed name never means another file; else from the network, and cached. */
  | "cache first"
  /** This build's precached copy, else the network. */
  | "precached"
  /** The network's answer, cached when its status is 200; after 4 s or offline the cached one, else the shell. */
  | "network first"
  /** The network's answer, cached when its status is 200; after 4 s or offline the cached one. */
  | "text network first"
  /** The network's answer, never cached; offline the shell, which shows what the device has. */
  | "network or shell";

export type WorkerRequest = {
  readonly method: string;
  readonly url: URL;
  /** A page is being opened, as against a file that a page needs. */
  readonly isNavigation: boolean;
};

type Rule = {
  readonly of: string;
  readonly is: (request: WorkerRequest) => boolean;
  readonly strategy: CachingStrategy;
};

/** Prices, orders, accounts, and the signals of which build is the latest: an old answer would be wrong. */
const ANSWERS = /^\/(?:api|dict|sandbox|metrics|builds)(?:\/|$)/;
/** The widget in a frame, which keeps nothing and says itself that there is no network. */
const EMBED = "/embed";
/** Pages with a destination address in their URL, or with one user's content. */
const PRIVATE = /^(?:\/[a-z]{2})?\/(?:order|orders|profile|lk)(?:\/|$)/;
/** Lists and articles of the blog and the docs, the same for everybody. */
const ARTICLES = /^\/content\/(?:blog|docs)\//;
const DRAWN = new Set(["/icons/icon.svg", "/icons/coins.svg"]);
const FILE = /\.\w+$/;

const path = ({ url }: WorkerRequest): string => url.pathname;
/** Launched by Telegram: the launch parameters identify the user. */
const isLaunch = ({ url }: WorkerRequest): boolean => /[?&#]tgWebApp/.test(url.search + url.hash);

/** The first rule that fits a request counts; `docs/pwa.md` says why each is as it is. */
const CACHING_RULES: readonly Rule[] = [
  { of: "anything but GET", is: ({ method }) => method !== "GET", strategy: "not handled" },
  { of: "answers of the API", is: (request) => ANSWERS.test(path(request)), strategy: "not handled" },
  { of: "the widget", is: (request) => path(request) === EMBED, strategy: "not handled" },
  {
    of: "articles",
    is: (request) => !request.isNavigation && ARTICLES.test(path(request)),
    strategy: "text network first",
  },
  { of: "hashed files of a build", is: (request) => path(request).startsWith("/assets/"), strategy: "cache first" },
  { of: "pictures that pages draw", is: (request) => DRAWN.has(path(request)), strategy: "precached" },
  { of: "other files, the worker's own too", is: (request) => FILE.test(path(request)), strategy: "not handled" },
  {
    of: "pages of orders and accounts, launches",
    is: (request) => request.isNavigation && (PRIVATE.test(path(request)) || isLaunch(request)),
    strategy: "network or shell",
  },
  { of: "all other pages", is: ({ isNavigation }) => isNavigation, strategy: "network first" },
];

export const cachingStrategyOf = (request: WorkerRequest, ownOrigin: string): CachingStrategy =>
  request.url.origin === ownOrigin
    ? (CACHING_RULES.find((rule) => rule.is(request))?.strategy ?? "not handled")
    : "not handled";

/** Query parameters that name where a visit came from, and change nothing on the page. */
const ORIGIN_ONLY = /^(?:source|utm_\w+|gclid|gad_source)$/;

/** The URL that a page is cached under: the home screen opens `/?source=pwa`, which is `/`. */
export function pageKey(url: URL): string {
  const key = new URL(url);
  for (const name of url.searchParams.keys()) if (ORIGIN_ONLY.test(name)) key.searchParams.delete(name);
  key.hash = "";
  return key.href;
}
