import { spawnSync } from "node:child_process";
import { root } from "./lib/run.ts";
import { judgeSignatures } from "./lib/signatures.ts";

const TIMEOUT_MS = 300_000;
const args = ["audit", "signatures", "--json", "--fetch-retries=0"];
const { stdout, error } = spawnSync("npm", args, { cwd: root, encoding: "utf8", timeout: TIMEOUT_MS });
if (error !== undefined) throw error;
const { isBad, text } = judgeSignatures(stdout);
console.log(text);
process.exitCode = isBad ? 1 : 0;
