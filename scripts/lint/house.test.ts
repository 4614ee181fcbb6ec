import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planted } from "./house.cases.ts";

const root = resolve(import.meta.dirname, "../..");
const configs = [
  ".oxlintrc.json",
  "tsconfig.base.json",
  "tsconfig.json",
  "src/tsconfig.json",
  "scripts/lint",
  "package.json",
];

type Diagnostic = { code: string; message: string; filename: string };

let house: string;
let found: Diagnostic[];

beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), "house-rules-"));
  for (const path of configs) await cp(join(root, path), join(house, path), { recursive: true });
  await symlink(join(root, "node_modules"), join(house, "node_modules"));
  for (const { files } of planted)
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(house, path)), { recursive: true });
      await writeFile(join(house, path), text);
    }
  found = await lint(house);
}, 60_000);

afterAll(async () => rm(house, { recursive: true, force: true }));

/** Runs the house's oxlint over a folder and gives what it reports. */
async function lint(folder: string): Promise<Diagnostic[]> {
  const program = join(root, "node_modules/oxlint/bin/oxlint");
  const output = await new Promise<string>((done, fail) => {
    execFile(
      process.execPath,
      [program, "-f", "json", "contract", "server", "src"],
      { cwd: folder },
      (error, stdout, stderr) => {
        if (stdout.includes('"diagnostics"')) done(stdout);
        else fail(error ?? new Error(stderr || stdout));
      },
    );
  });
  return (JSON.parse(output) as { diagnostics: Diagnostic[] }).diagnostics;
}

describe("the house's lint rules", () => {
  for (const { name, files, refused } of planted)
    test(name, () => {
      const reports = found
        .filter(({ filename }) => filename in files)
        .map(({ code, filename }) => `${filename}: ${code}`);
      const expected = Object.entries(refused).map(([filename, rule]) => `${filename}: ${rule}`);
      expect(reports.toSorted()).toEqual(expected.toSorted());
    });
});
