import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import LongestFirst from "./tests/support/longest-first.ts";

const database = ["tests/support/database/database-server.ts"];

/** Needs a document. */
const DOM = "src/**/*.dom.test.ts";
const DOM_COMPONENTS = "src/**/*.test.tsx";
/** Needs PostgreSQL, a server or another process. */
const INTEGRATION = "{server,scripts,tests}/**/*.integration.test.ts";
/** Replace or reset modules, which only a file with modules of its own can do; tests/module-mocks.test.ts compares. */
export const MOCKS_MODULES = [
  "server/base/processes/lock-file-race.test.ts",
  "server/site/page-load.test.ts",
  "src/features/order/store.test.ts",
  "src/pwa/reload.test.ts",
  "src/shared/http/rates-socket.test.ts",
  "tests/pages.integration.test.ts",
];
/** Draw what sharp no longer reads in a process that has loaded server/base/photos.ts. */
const OWN_PROCESS = ["scripts/lib/content/covers.test.ts", "scripts/lib/content/pictures.test.ts"];
/** Find state of a module as the page has it when it opens: messages, questions, the service's health, who is signed in. */
const DOM_FRESH_STATE = [
  "src/app/account/requested-page.dom.test.ts",
  "src/app/health/use-health.test.tsx",
  "src/app/layout/frame.test.tsx",
  "src/app/layout/toasts.test.tsx",
  "src/features/exchange/creation/create-order.dom.test.ts",
  "src/shared/page/notifications.test.tsx",
  "src/telegram/shell/ask-popup.dom.test.ts",
  "src/telegram/shell/settings.dom.test.ts",
];
/** Change how `pg` asks for good (`prepareStatements`), which no other file may notice. */
const PREPARING = globSync("tests/faults/*.test.ts").filter((file) =>
  readFileSync(file, "utf8").includes("prepareStatements()"),
);
/** Those that need a document and modules of their own. */
const DOM_OWN_MODULES = globSync([DOM, DOM_COMPONENTS]).filter(
  (file) =>
    DOM_FRESH_STATE.includes(file) || /\bvi\.(doMock|mock|resetModules|unmock)\(/.test(readFileSync(file, "utf8")),
);
/** SWR hands each `visibilitychange` event to setTimeout as its delay, which a browser takes as 0 without a word. */
const AS_A_BROWSER = { execArgv: ["--disable-warning=TimeoutNaNWarning"] };
/** So that `vi.resetModules` resets the SDK's state too. */
const INLINE_SDK = { deps: { inline: [/@telegram-apps\/(?!telegram-ui)/] } };
/** Files of a worker share their modules: read anew for each file, they cost 45 of 84 s of a processor in the unit tests alone, and 1 s in each file of the faults. */
const SHARED_MODULES = { isolate: false };

export default defineConfig({
  test: {
    // Twice CI's two cores, as files wait for blocks, nodes and processes: 227 s for the unit tier instead of 280 with three.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          include: ["{contract,server,scripts,src}/**/*.test.ts", "tests/*.test.ts", "tests/support/**/*.test.ts"],
          exclude: [DOM, INTEGRATION, ...MOCKS_MODULES, ...OWN_PROCESS],
          testTimeout: 20_000,
          ...SHARED_MODULES,
        },
      },
      {
        test: {
          name: "modules",
          environment: "node",
          include: [...MOCKS_MODULES, ...OWN_PROCESS],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "dom",
          environment: "happy-dom",
          include: [DOM, DOM_COMPONENTS],
          exclude: DOM_OWN_MODULES,
          setupFiles: ["tests/support/fresh-document.ts"],
          testTimeout: 20_000,
          server: INLINE_SDK,
          ...AS_A_BROWSER,
          ...SHARED_MODULES,
        },
      },
      {
        test: {
          name: "dom-modules",
          environment: "happy-dom",
          include: DOM_OWN_MODULES,
          testTimeout: 20_000,
          server: INLINE_SDK,
          ...AS_A_BROWSER,
        },
      },
      {
        test: {
          name: "integration",
          environment: "node",
          include: [INTEGRATION, "tests/partner-api/**/*.test.ts"],
          exclude: MOCKS_MODULES,
          globalSetup: database,
          testTimeout: 20_000,
          hookTimeout: 60_000,
          ...SHARED_MODULES,
        },
      },
      {
        test: {
          name: "faults",
          environment: "node",
          include: ["tests/faults/**/*.test.ts"],
          exclude: PREPARING,
          globalSetup: database,
          testTimeout: 600_000,
          hookTimeout: 120_000,
          ...SHARED_MODULES,
        },
      },
      {
        test: {
          name: "crashes",
          environment: "node",
          include: PREPARING,
          globalSetup: database,
          // A hundred lives in one test, on two cores that others use too.
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "simulation",
          environment: "node",
          include: ["tests/simulation/**/*.test.ts"],
          globalSetup: database,
          // `npm run soak` lives ten times as many lives, some quarter of an hour on two cores that nobody else uses.
          testTimeout: process.env["SOAK"] === "on" ? 7_200_000 : 1_500_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "chains",
          environment: "node",
          include: ["tests/chains/**/*.test.ts"],
          globalSetup: database,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
