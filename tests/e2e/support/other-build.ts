import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/lib/run.ts";

/**
 * Builds what browsers load once more, from the same sources, beside the renderer of the build in dist/. Unminified, each of its
 * chunks has another content and so another name. Gives the folder, for DIST_DIR.
 */
export async function otherBuild(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wherry-build-"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await cp(join(root, "dist/server"), join(folder, "server"), { recursive: true });
  const vite = join(root, "node_modules/vite/bin/vite.js");
  for (const config of ["vite.config.ts", "vite.embed.config.ts"]) {
    const args = ["--config", config, "--minify", "false", "--outDir", join(folder, "client"), "--logLevel", "warn"];
    const child = spawn(process.execPath, [vite, "build", ...args], {
      cwd: root,
      env: { ...process.env, NODE_ENV: "production", ...env },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`the other build failed with ${code}`);
  }
  return folder;
}
