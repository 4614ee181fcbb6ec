import { posix } from "node:path";

/** Where an import statement points: a file of the repository (path from its top level), a Node module, or a package. */
export type Target =
  | { kind: "file"; path: string }
  | { kind: "node"; name: string }
  | { kind: "package"; name: string };

const SHARED_BY_AREAS = new Set(["db", "base"]);
const COMPOSITION_ROOTS = new Set([
  "server/main.ts",
  "server/admin-cli.ts",
  "server/services.ts",
  "server/worker.ts",
  "server/http/exchange-metrics.ts",
  "server/web.ts",
]);
/** Beside those: each driver is composed in a file of its own. */
const isCompositionRoot = (file: string): boolean => COMPOSITION_ROOTS.has(file) || file.startsWith("server/drivers/");
const AREA_DOOR = /\/(port|index|quote|entries)\.ts$/;
const TEST_FILE = /\.test\.tsx?$/;

/** Packages that only one part of the house may know. */
const PACKAGE_HOMES: { name: RegExp; home: RegExp; why: string }[] = [
  {
    name: /^viem(\/|$)/,
    home: /^server\/(chains|devnet)\//,
    why: "viem stays behind the networks port: server/chains",
  },
  {
    name: /^tronweb(\/|$)/,
    home: /^server\/(chains|devnet)\/tron\//,
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
    why: "Telegram's SDK stays behind its adapter: src/telegram/sdk",
  },
];

export const isTest = (file: string): boolean => TEST_FILE.test(file) || file.startsWith("tests/");

const isPureOrders = /^server\/orders\/(order|decide(-[^/]*)?|evolve)\.ts$/;
const isPureTreasury = /^server\/treasury\/entries\.ts$/;
const isPureLiquidity = /^server\/liquidity\/quote\.ts$/;
const isPureRates = /^server\/rates\/quote([-.][^/]*)?(\.ts|\/.*)$/;

/** The rules of the business: no clock, no randomness, no I/O, neither themselves nor through what they import. */
export const isPure = (file: string): boolean =>
  !isTest(file) &&
  (file.startsWith("contract/") ||
    [isPureOrders, isPureRates, isPureTreasury, isPureLiquidity].some((files) => files.test(file)));

/** Finds what `source`, as written in `file`, means. */
export function resolveImport(file: string, source: string): Target {
  const bare = source.replace(/[?#](?!contract\/).*$/, "");
  if (bare.startsWith("#contract/")) return { kind: "file", path: `contract/${bare.slice("#contract/".length)}` };
  if (bare.startsWith(".")) return { kind: "file", path: posix.normalize(posix.join(posix.dirname(file), bare)) };
  if (bare.startsWith("/")) return { kind: "file", path: bare.slice(1) };
  if (bare.startsWith("node:")) return { kind: "node", name: bare };
  return { kind: "package", name: bare };
}

/** Says why `file` may not import `source`, or null when it may. Both are judged by the rooms of ARCHITECTURE.md. */
export function forbidImport(file: string, source: string): string | null {
  const target = resolveImport(file, source);
  if (target.kind !== "file") return forbidOutside(file, target);
  const room = file.split("/")[0];
  if (
    !isTest(file) &&
    /^(tests|scripts)\//.test(target.path) &&
    room !== "scripts" &&
    /^(contract|src|server)$/.test(room ?? "")
  )
    return `${room} may not depend on tests or scripts`;
  if (room === "contract" && !target.path.startsWith("contract/"))
    return "contract imports nothing of ours but contract";
  if (room === "src") return forbidInApp(file, target.path);
  if (room === "server") return forbidInServer(file, target.path);
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
    return "a feature may not import another feature: move what both need down to ui, platform or lib";
  if (from === "features" && to === "app") return "a feature may not import the frame around it";
  if (/^(shared|telegram|pwa)$/.test(from) && /^(features|app)$/.test(to))
    return `src/${from} may not import features or app`;
  if (from === "shared" && to !== "shared") return "src/shared imports only contract";
  return null;
}

function forbidInServer(file: string, path: string): string | null {
  if (path.startsWith("src/")) return "server may not import src: it loads the built ssr, typed by contract/ssr.ts";
  if (!path.startsWith("server/") || isCompositionRoot(file) || isTest(file)) return null;
  if (isCompositionRoot(path)) return "only the process itself imports a composition root";
  const from = folderOf(file, "server");
  const to = folderOf(path, "server");
  if (to === "" || from === to || SHARED_BY_AREAS.has(to) || AREA_DOOR.test(path)) return null;
  if (to === "http" && file.endsWith("/routes.ts")) return null;
  if (from === "http" && path.endsWith("/routes.ts")) return null;
  return `server/${from} may import server/${to} only by its port.ts or index.ts, or the pure quote.ts and entries.ts (http by routes.ts)`;
}

/** The folder right under `room`, empty for a file that lies in the room itself. */
function folderOf(path: string, room: string): string {
  const parts = path.slice(room.length + 1).split("/");
  return parts.length > 1 ? (parts[0] ?? "") : "";
}

const featureOf = (path: string): string => path.split("/")[2] ?? "";
