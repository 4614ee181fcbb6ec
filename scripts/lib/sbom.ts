import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { root } from "./run.ts";

/** Where the build leaves it. */
export const SBOM = "dist/sbom.cdx.json";

const dependency = z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) });
const sbomSchema = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ "bom-ref": z.string() }) }),
  components: z.array(z.looseObject({ "bom-ref": z.string() })),
  dependencies: z.array(dependency),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ name: z.string().optional(), version: z.string(), dev: z.boolean().default(false) }),
  ),
});

/** Writes what the program is made of in production, with each package's version, licence and hash, as CycloneDX. */
export function writeSbom(file: string): void {
  // npm run names its own npm; whoever runs a script by node has one on the PATH.
  const npm = process.env["npm_execpath"];
  const args = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
  const options = { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  const text =
    npm === undefined ? execFileSync("npm", args, options) : execFileSync(process.execPath, [npm, ...args], options);
  writeFileSync(file, `${JSON.stringify(ofProduction(sbomSchema.parse(JSON.parse(text))), null, 2)}\n`);
}

/** By the lock file: npm's `--omit=dev`, and its own mark, lose packages that production and a tool both need. */
function ofProduction(sbom: z.infer<typeof sbomSchema>): object {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const kept = new Set([sbom.metadata.component["bom-ref"]]);
  for (const [path, { name, version, dev }] of Object.entries(packages))
    if (!dev) kept.add(`${name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`);
  return {
    ...sbom,
    components: sbom.components.filter((one) => kept.has(one["bom-ref"])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => kept.has(ref)) })),
  };
}
