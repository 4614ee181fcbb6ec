import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { lightestChromium } from "./scripts/lib/chromium.ts";
import { freePort } from "./scripts/lib/free-port.ts";
import { DESKTOP, PHONE } from "./tests/e2e/support/widths.ts";

/** What moves the clock, stops payments or undoes blocks, at both widths. */
const OWN_SERVER = ["a11y/order-states.spec.ts", "e2e/money-states.spec.ts"];

// Workers load this file again: what the first load chose reaches them through the environment.
process.env["E2E_PORT"] ??= String(await freePort());
process.env["DEVNET_EVM_PORT"] ??= String(await freePort());
process.env["E2E_PUSH_PORT"] ??= String(await freePort());
process.env["E2E_DATA_DIR"] ??= temporaryFolder();

const baseURL = `http://localhost:${process.env["E2E_PORT"]}`;

/** A folder that the database's own user can reach too: run by root, PostgreSQL steps down to another user. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wherry-e2e-"));
  chmodSync(folder, 0o755);
  // Only at exit: Playwright stops the server after its own teardown hooks.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export default defineConfig({
  testDir: "tests",
  testMatch: ["e2e/**/*.spec.ts", "a11y/**/*.spec.ts", "visual/**/*.spec.ts"],
  snapshotPathTemplate: "{testDir}/visual/screens/{arg}{ext}",
  outputDir: "test-results",
  fullyParallel: true,
  // Twice CI's two cores, as a page waits for the server and its blocks now and then.
  workers: 4,
  forbidOnly: true,
  maxFailures: 5,
  timeout: 90_000,
  expect: {
    timeout: 10_000,
    // Drawing differs by single pixels between runs; a moved or missing part is a hundred times as much.
    toHaveScreenshot: { maxDiffPixelRatio: 0.01, animations: "disabled", caret: "hide" },
  },
  reporter: [
    ["list"],
    ["./tests/e2e/support/flow-reporter.ts"],
    ...(process.env["E2E_REPORT"] ? [["json", { outputFile: process.env["E2E_REPORT"] }] as const] : []),
  ],
  use: {
    baseURL,
    locale: "en-US",
    screenshot: "only-on-failure",
    // What never becomes possible says where, long before the test as a whole ends.
    actionTimeout: 30_000,
    launchOptions: {
      executablePath: lightestChromium(),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    // First, as each of their files has a server of its own, and walks it from the beginning to the end.
    { name: "own-server", testMatch: OWN_SERVER, use: DESKTOP },
    { name: "phone", testIgnore: OWN_SERVER, grepInvert: /@desktop/, use: PHONE },
    { name: "desktop", testIgnore: OWN_SERVER, grepInvert: /@phone/, use: DESKTOP },
  ],
  webServer: {
    command: `"${process.execPath}" scripts/start.ts`,
    env: {
      PORT: process.env["E2E_PORT"],
      PUBLIC_URL: baseURL,
      DATA_DIR: process.env["E2E_DATA_DIR"],
      DEVNET_EVM_PORT: process.env["DEVNET_EVM_PORT"],
      SANDBOX: "on",
      SANDBOX_PUSH_SERVICE: `http://127.0.0.1:${process.env["E2E_PUSH_PORT"]}`,
      PARTNER_CODE: "partner",
      // All browsers of the run are one client.
      RATE_LIMIT_READS: "100000",
      RATE_LIMIT_SIGN_INS: "1000",
      RATE_LIMIT_CARD_RATES: "6000",
    },
    wait: { stdout: /ready http/ },
    timeout: 120_000,
    stdout: process.env["E2E_SERVER_LOG"] ? "pipe" : "ignore",
    stderr: "pipe",
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
  },
});
