/** What the worker does with a request. */
export type Treatment =
  /** The browser asks the network, as if there were no worker. */
  | "left alone"
  /** From this device, whichever build kept it: a hashed name never means another file. Else from the network, and kept. */
  | "kept first"
  /** This build's own copy, else the network. */
  | "this build's"
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

type Row = { readonly of: string; readonly is: (asked: Asked) => boolean; readonly treatment: Treatment };

/** Prices, orders, accounts, and the signals of which build is the newest: an old answer would be a wrong one. */
const ANSWERS = /^\/(?:api|dict|sandbox|metrics|builds)(?:\/|$)/;
/** A page whose address holds a destination address or whose content is one person's. */
const PRIVATE = /^(?:\/[a-z]{2})?\/(?:order|orders|profile|lk)(?:\/|$)/;
const DRAWN = new Set(["/icons/icon.svg", "/icons/coins.svg"]);
const FILE = /\.\w+$/;

const path = ({ url }: Asked): string => url.pathname;
/** Launched by Telegram: its parameters hold who somebody is. */
const isLaunch = ({ url }: Asked): boolean => /[?&#]tgWebApp/.test(url.search + url.hash);

/** The first row that fits a request counts; `docs/pwa.md` says why each is as it is. */
export const CACHING: readonly Row[] = [
  { of: "anything that changes something", is: ({ method }) => method !== "GET", treatment: "left alone" },
  { of: "answers of the service", is: (asked) => ANSWERS.test(path(asked)), treatment: "left alone" },
  { of: "hashed files of a build", is: (asked) => path(asked).startsWith("/assets/"), treatment: "kept first" },
  { of: "pictures that pages draw", is: (asked) => DRAWN.has(path(asked)), treatment: "this build's" },
  { of: "other files, the worker's own too", is: (asked) => FILE.test(path(asked)), treatment: "left alone" },
  {
    of: "pages of orders and accounts, launches",
    is: (asked) => asked.isNavigation && (PRIVATE.test(path(asked)) || isLaunch(asked)),
    treatment: "network or shell",
  },
  { of: "all other pages", is: ({ isNavigation }) => isNavigation, treatment: "network first" },
];

export const treatmentOf = (asked: Asked, ownOrigin: string): Treatment =>
  asked.url.origin === ownOrigin ? (CACHING.find((row) => row.is(asked))?.treatment ?? "left alone") : "left alone";

/** Says where a visit came from, and changes nothing of the page. */
const ORIGIN_ONLY = /^(?:source|utm_\w+|gclid|gad_source)$/;

/** The address that a page is kept under: the home screen opens `/?source=pwa`, which is `/`. */
export function pageKey(url: URL): string {
  const key = new URL(url);
  for (const name of url.searchParams.keys()) if (ORIGIN_ONLY.test(name)) key.searchParams.delete(name);
  key.hash = "";
  return key.href;
}
