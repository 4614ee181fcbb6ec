import { join } from "node:path";
import { root, runNode } from "./lib/run.ts";

const knip = join(root, "node_modules/knip/bin/knip.js");

// Everything first; then what ships alone, where an export that only a test uses counts as unused.
const all = await runNode([knip]);
const production = await runNode([knip, "--production", "--exclude", "dependencies,unlisted,binaries,unresolved"]);
process.exitCode = all === 0 && production === 0 ? 0 : 1;
