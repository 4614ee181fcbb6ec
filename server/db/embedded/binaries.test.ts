import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { embeddedBinaries, linkLibraries } from "./binaries.ts";

let copy: string;

// The package as npm leaves it with --ignore-scripts: without a single link.
beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), "wherry-binaries-"));
  const { postgres } = await embeddedBinaries();
  await cp(dirname(dirname(postgres)), join(copy, "native"), { recursive: true, verbatimSymlinks: true });
  const libraries = await readdir(join(copy, "native/lib"), { withFileTypes: true });
  const links = libraries.filter((entry) => entry.isSymbolicLink());
  await Promise.all(links.map((link) => rm(join(copy, "native/lib", link.name))));
});

afterEach(() => rm(copy, { recursive: true }));

function version(): string {
  return execFileSync(join(copy, "native/bin/postgres"), ["--version"], { encoding: "utf8", stdio: "pipe" });
}

test("links that an install script would have made are made at the start, by several starts at once", async () => {
  expect(version).toThrow("cannot open shared object file");
  await Promise.all([linkLibraries(copy), linkLibraries(copy), linkLibraries(copy)]);
  expect(version()).toContain("(PostgreSQL) 18");
  expect(await readlink(join(copy, "native/lib/libpq.so.5"))).toBe("libpq.so.5.18");
  await linkLibraries(copy);
});
