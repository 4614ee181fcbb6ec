import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";

/** Gives the worker, which is built last, the id of its build. */
export function workerBuild(): Plugin {
  return {
    name: "wherry:worker-build",
    config({ root = ".", build }) {
      const latest = readFileSync(resolve(root, build?.outDir ?? "dist", "builds/latest.json"), "utf8");
      const { id } = JSON.parse(latest) as { id: string };
      return { define: { BUILD_ID: JSON.stringify(id) } };
    },
  };
}
