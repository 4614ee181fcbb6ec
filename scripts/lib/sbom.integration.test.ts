import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { root } from "./run.ts";
import { writeSbom } from "./sbom.ts";

const sbomSchema = z.object({
  specVersion: z.string(),
  metadata: z.object({ component: z.object({ type: z.literal("application"), purl: z.string() }) }),
  components: z.array(
    z.object({
      purl: z.string(),
      name: z.string(),
      version: z.string(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string().regex(/^[0-9a-f]+$/) })),
    }),
  ),
});
const packageSchema = z.object({ dependencies: z.record(z.string(), z.string()) });

test("the bill of materials is CycloneDX's, and lists what production needs with its hashes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wherry-sbom-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "sbom.cdx.json");
  writeSbom(file);
  const text = readFileSync(file, "utf8");

  const sbom = sbomSchema.parse(JSON.parse(text));
  expect(sbom.metadata.component.purl).toMatch(/^pkg:npm\/wherry@/);
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
  expect(sbom.specVersion).toBe(Spec.Version.v1dot5);
  expect(await validator.validate(text)).toBeNull();
  expect(await validator.validate(text.replace('"type": "application"', '"type": "spaceship"'))).not.toBeNull();

  const versions = new Map<string, Set<string>>();
  for (const { name, version } of sbom.components) versions.set(name, (versions.get(name) ?? new Set()).add(version));
  const { dependencies } = packageSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const missing = Object.entries(dependencies).filter(([name, version]) => versions.get(name)?.has(version) !== true);
  expect(missing).toEqual([]);
  // Needed by production through others, in a version that a tool needs too.
  expect(versions.get("commander")).toContain("2.20.3");
  expect(["vitest", "oxlint", "knip", "@playwright/test"].filter((name) => versions.has(name))).toEqual([]);
  expect(sbom.components.filter(({ hashes }) => !hashes.some(({ alg }) => alg === "SHA-512"))).toEqual([]);
});
