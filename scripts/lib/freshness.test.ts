import { mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFresh, STAMP } from "./freshness.ts";

const before = new Date("2030-01-01T00:00:00Z");
const builtAt = new Date("2030-01-01T00:01:00Z");
const after = new Date("2030-01-01T00:02:00Z");

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "freshness-"));
  for (const path of ["src/shared/ui", "contract", "dist"]) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, "src/shared/ui/button.tsx"), "");
  writeFileSync(join(folder, STAMP), `${builtAt.toISOString()}\n`);
  for (const path of ["src", "src/shared/ui", "src/shared/ui/button.tsx", "contract"])
    utimesSync(join(folder, path), before, before);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a build after the last change is fresh", () => {
  expect(isFresh(folder)).toBe(true);
});

test("a file saved after the build began makes it old", () => {
  utimesSync(join(folder, "src/shared/ui/button.tsx"), after, after);
  expect(isFresh(folder)).toBe(false);
});

test("a file that was removed makes it old", () => {
  unlinkSync(join(folder, "src/shared/ui/button.tsx"));
  utimesSync(join(folder, "src/shared/ui"), after, after);
  expect(isFresh(folder)).toBe(false);
});

test("a build that never ended is old", () => {
  unlinkSync(join(folder, STAMP));
  expect(isFresh(folder)).toBe(false);
});
