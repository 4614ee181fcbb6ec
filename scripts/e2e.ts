import { join } from "node:path";
import { buildIfOld } from "./lib/build.ts";
import { installLightestChromium, requireChromium } from "./lib/chromium.ts";
import { root, runNode } from "./lib/run.ts";

requireChromium();
installLightestChromium();
// Before the tests' own time limit for the server's start begins.
await buildIfOld();
const playwright = join(root, "node_modules/@playwright/test/cli.js");
const chosen = process.argv.slice(2);
// Only of a run of everything can be said that a flow is missing.
const env = { ...process.env, E2E_WHOLE: chosen.length === 0 ? "yes" : "no" };
process.exitCode = await runNode([playwright, "test", ...chosen], { env });
