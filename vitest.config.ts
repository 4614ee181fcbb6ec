import { defineConfig } from "vitest/config";
import LongestFirst from "./tests/support/longest-first.ts";

const database = ["tests/support/database/database-server.ts"];

/** Needs a document. */
const DOM = "src/**/*.dom.test.ts";
/** Needs PostgreSQL, a server or another process. */
const INTEGRATION = "{server,scripts,tests}/**/*.integration.test.ts";

export default defineConfig({
  test: {
    // One more than CI's two cores: a fifth of a tier's time is spent waiting for blocks, nodes and processes.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          include: ["{contract,server,scripts,src}/**/*.test.ts", "tests/*.test.ts", "tests/support/**/*.test.ts"],
          exclude: [DOM, INTEGRATION],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "dom",
          environment: "happy-dom",
          include: [DOM, "src/**/*.test.tsx"],
          testTimeout: 20_000,
          // So that `vi.resetModules` resets the SDK's state too.
          server: { deps: { inline: [/@telegram-apps\/(?!telegram-ui)/] } },
        },
      },
      {
        test: {
          name: "integration",
          environment: "node",
          include: [INTEGRATION],
          globalSetup: database,
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "faults",
          environment: "node",
          include: ["tests/faults/**/*.test.ts"],
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
          testTimeout: 1_500_000,
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
