import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_LAYERS, COMPOSITION_ROOTS, isPure, SERVER_AREAS } from "./import-rules.ts";
import { planted } from "./rules.cases.ts";

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

let folder: string;
let found: Diagnostic[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lint-rules-"));
  for (const path of configs) await cp(join(root, path), join(folder, path), { recursive: true });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  for (const { files } of planted)
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  found = await lint(folder);
}, 60_000);

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Runs the project's oxlint over a folder. */
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

describe("the project's lint rules", () => {
  for (const { name, files, refused } of planted)
    test(name, () => {
      const reports = found
        .filter(({ filename }) => filename in files)
        .map(({ code, filename }) => `${filename}: ${code}`);
      const expected = Object.entries(refused).map(([filename, rule]) => `${filename}: ${rule}`);
      expect(reports.toSorted()).toEqual(expected.toSorted());
    });
});

test.each([
  ["server", SERVER_AREAS],
  ["src", APP_LAYERS],
])("the import table of %s has no circle and no unknown folder", (_top, table) => {
  const visit = (folder: string, path: readonly string[]): void => {
    expect(path, `a circle: ${[...path, folder].join(" → ")}`).not.toContain(folder);
    expect(table).toHaveProperty(folder);
    for (const next of table[folder] ?? []) visit(next, [...path, folder]);
  };
  for (const folder of Object.keys(table)) visit(folder, []);
});

test("the rules name files where they are now", () => {
  const pure = [
    "orders/decisions/order",
    "orders/decisions/decide",
    "orders/decisions/evolve",
    "rates/quote",
    "treasury/ledger/entries",
    "earnings/decisions/decide-earnings",
    "earnings/decisions/decide-withdrawal",
    "earnings/decisions/months",
  ];
  const files = pure.map((name) => `server/${name}.ts`);
  expect(files.filter((file) => !isPure(file))).toEqual([]);
  expect([...files, ...COMPOSITION_ROOTS].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
