import { posix } from "node:path";

/** Where an import statement points: a file of the repository (path from its top level), a Node module, or a package. */
export type Target =
  | { kind: "file"; path: string }
  | { kind: "node"; name: string }
  | { kind: "package"; name: string };

/**
 * The only files of server/ that know every area.
 *
 * @internal
 */
export const COMPOSITION_ROOTS = new Set([
  "server/main.ts",
  "server/networks.ts",
  "server/admin-cli.ts",
  "server/engine.ts",
  "server/exchange-metrics.ts",
  "server/keyless-config.ts",
  "server/roles.ts",
  "server/services.ts",
  "server/store.ts",
  "server/web.ts",
  "server/web-areas.ts",
  "server/web-app.ts",
  "server/worker.ts",
  "server/worker-process.ts",
]);

/** The areas that an area of server/ may import. Arrows run one way: a test checks that the table has no circle. */
export const SERVER_AREAS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  bus: ["base", "db"],
  config: ["base"],
  db: ["base"],
  http: ["base", "bus", "db"],
  site: ["base", "http"],
  content: ["base"],
  catalogue: ["base"],
  pictures: ["base", "catalogue", "http"],
  admin: ["base", "db"],
  accounts: ["admin", "base", "db", "earnings", "notifications"],
  notifications: ["base", "db"],
  verification: ["admin", "base", "db", "notifications"],
  chains: ["admin", "base", "catalogue", "db"],
  devnet: ["base", "chains", "db"],
  treasury: ["admin", "base", "catalogue", "chains", "db"],
  rates: ["base", "catalogue", "chains", "db", "treasury"],
  prices: ["admin", "base", "catalogue", "db", "rates"],
  blacklist: ["admin", "base", "chains", "db"],
  earnings: ["admin", "base", "blacklist", "catalogue", "chains", "db", "notifications", "rates", "treasury"],
  liquidity: ["admin", "base", "chains", "db", "rates", "treasury"],
  card: ["base", "catalogue", "chains", "db", "rates"],
  orders: [
    "admin",
    "base",
    "blacklist",
    "card",
    "catalogue",
    "chains",
    "db",
    "earnings",
    "liquidity",
    "notifications",
    "rates",
    "treasury",
  ],
  "partner-api": ["accounts", "base", "bus", "catalogue", "chains", "db", "earnings", "http", "orders", "rates"],
  sandbox: ["base", "card", "catalogue", "chains", "db", "devnet", "notifications", "orders", "rates"],
};
/** What the other areas stand on: every file is open to whoever may import the area. */
const OPEN_AREAS = new Set(["base", "db", "http"]);
/** Areas that control local chains may import their drivers. */
const OPEN_TO: Readonly<Record<string, readonly string[]>> = { devnet: ["chains"], sandbox: ["chains", "devnet"] };

/** The layers that a layer of src/ may import; `app` is above all others. */
export const APP_LAYERS: Readonly<Record<string, readonly string[]>> = {
  app: ["features", "telegram", "pwa", "shared"],
  features: ["address", "telegram", "pwa", "shared"],
  address: ["telegram", "shared"],
  telegram: ["shared"],
  pwa: ["shared"],
  shared: [],
};

const HTTP_CLIENT = "src/shared/http/http.ts";

const AREA_DOOR = /\/(port|index|quote|entries)\.ts$/;
const TEST_FILE = /\.test\.tsx?$/;

/** Packages that only one folder may import. */
const PACKAGE_HOMES: { name: RegExp; home: RegExp; why: string }[] = [
  {
    name: /^viem(\/|$)/,
    home: /^server\/(chains|devnet)\//,
    why: "viem stays behind the networks port: server/chains",
  },
  {
    name: /^tronweb(\/|$)/,
    home: /^server\/chains\/tron\//,
    why: "tronweb stays behind the networks port: server/chains/tron",
  },
  { name: /^ioredis(\/|$)/, home: /^server\/bus\//, why: "ioredis stays behind the bus: server/bus" },
  {
    name: /^@telegram-apps\/telegram-ui(\/|$)/,
    home: /^src\/shared\/ui\//,
    why: "telegram-ui stays behind our own components: src/shared/ui",
  },
  {
    name: /^@telegram-apps\/sdk/,
    home: /^src\/telegram\//,
    why: "the Telegram SDK stays inside src/telegram",
  },
  {
    name: /^react-dom\/client$/,
    home: /^src\/(?:main|embed)\.tsx$|\/testing\//,
    why: "each page has one React root: src/main.tsx, the widget's src/embed.tsx, with src/shared/page/overlays.tsx for what is shown beside a page",
  },
];

export const isTest = (file: string): boolean => TEST_FILE.test(file) || file.startsWith("tests/");

const isPureOrders = /^server\/orders\/decisions\//;
const isPureTreasury = /^server\/treasury\/ledger\/entries\.ts$/;
const isPureEarnings = /^server\/earnings\/decisions\//;
const isPureRates = /^server\/rates\/quote([-.][^/]*)?(\.ts|\/.*)$/;

/** The business rules: no clock, no randomness, no I/O, neither themselves nor through what they import. */
export const isPure = (file: string): boolean =>
  !isTest(file) &&
  (file.startsWith("contract/") ||
    [isPureEarnings, isPureOrders, isPureRates, isPureTreasury].some((files) => files.test(file)));

/** Finds what `source`, as written in `file`, means. */
export function resolveImport(file: string, source: string): Target {
  const bare = source.replace(/[?#](?!contract\/).*$/, "");
  if (bare.startsWith("#contract/")) return { kind: "file", path: `contract/${bare.slice("#contract/".length)}` };
  if (bare.startsWith(".")) return { kind: "file", path: posix.normalize(posix.join(posix.dirname(file), bare)) };
  if (bare.startsWith("/")) return { kind: "file", path: bare.slice(1) };
  if (bare.startsWith("node:")) return { kind: "node", name: bare };
  return { kind: "package", name: bare };
}

/** Says why `file` may not import `source`, or null when it may. Both are judged by the import rules of ARCHITECTURE.md. */
export function forbidImport(file: string, source: string): string | null {
  const target = resolveImport(file, source);
  if (target.kind !== "file") return forbidOutside(file, target);
  const top = file.split("/")[0];
  if (
    !isTest(file) &&
    /^(tests|scripts)\//.test(target.path) &&
    top !== "scripts" &&
    /^(contract|src|server)$/.test(top ?? "")
  )
    return `${top} may not depend on tests or scripts`;
  if (top === "contract" && !target.path.startsWith("contract/"))
    return "contract imports nothing of ours but contract";
  if (top === "src") return forbidInApp(file, target.path);
  if (top === "server") return forbidInServer(file, target.path);
  return null;
}

function forbidOutside(file: string, target: { kind: "node" | "package"; name: string }): string | null {
  if (isTest(file) || file.startsWith("scripts/")) return null;
  if (file.startsWith("contract/") && !/^zod(\/mini)?$/.test(target.name))
    return "contract imports zod and nothing else";
  if (file.startsWith("src/") && target.kind === "node") return "src runs in the browser: no Node modules";
  const owned = PACKAGE_HOMES.find(({ name, home }) => name.test(target.name) && !home.test(file));
  return owned ? owned.why : null;
}

function forbidInApp(file: string, path: string): string | null {
  if (path.startsWith("server/")) return "src may not import server";
  if (!path.startsWith("src/")) return null;
  const from = folderOf(file, "src");
  const to = folderOf(path, "src");
  if (from === "features" && to === "features" && featureOf(file) !== featureOf(path))
    return "a feature may not import another feature: move what both need down to telegram, pwa or shared";
  if (from === "features" && path === HTTP_CLIENT && !isTest(file) && posix.basename(file) !== "api.ts")
    return "a feature calls the service from its api.ts, or from that of its screen folder";
  // The entries at the top of src, and tests, know everything.
  if (from === "" || to === "" || from === to || isTest(file)) return null;
  const allowed = APP_LAYERS[from];
  if (allowed === undefined) return `src/${from} is missing in APP_LAYERS of scripts/lint/import-rules.ts`;
  return allowed.includes(to) ? null : `src/${from} may import only ${[...allowed, "contract"].join(", ")}, not ${to}`;
}

function forbidInServer(file: string, path: string): string | null {
  if (path.startsWith("src/"))
    return "server may not import src: it loads the built ssr, typed by contract/site/ssr.ts";
  if (!path.startsWith("server/") || COMPOSITION_ROOTS.has(file) || isTest(file)) return null;
  if (COMPOSITION_ROOTS.has(path)) return "nothing imports a composition root";
  const from = folderOf(file, "server");
  const to = folderOf(path, "server");
  if (from === to) return null;
  const allowed = SERVER_AREAS[from];
  if (allowed === undefined) return `server/${from} is missing in SERVER_AREAS of scripts/lint/import-rules.ts`;
  if (!allowed.includes(to)) return `server/${from} may import only ${[...allowed, "contract"].join(", ")}, not ${to}`;
  if (OPEN_AREAS.has(to) || OPEN_TO[from]?.includes(to) || AREA_DOOR.test(path)) return null;
  return `server/${from} may import server/${to} only by its port.ts or index.ts, or the pure quote.ts and entries.ts`;
}

/** The folder right under `top`, empty for a file that lies in `top` itself. */
function folderOf(path: string, top: string): string {
  const parts = path.slice(top.length + 1).split("/");
  return parts.length > 1 ? (parts[0] ?? "") : "";
}

const featureOf = (path: string): string => path.split("/")[2] ?? "";
