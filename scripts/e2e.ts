import { join } from "node:path";
import { buildIfOld } from "./lib/build.ts";
import { requireChromium } from "./lib/chromium.ts";
import { root, runNode } from "./lib/run.ts";

requireChromium();
// Before the tests' own time limit for the server's start begins.
await buildIfOld();
const playwright = join(root, "node_modules/@playwright/test/cli.js");
process.exitCode = await runNode([playwright, "test", ...process.argv.slice(2)]);
