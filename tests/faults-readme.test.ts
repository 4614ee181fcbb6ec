import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const ROOT = new URL("../", import.meta.url);
const README = new URL("tests/faults/README.md", ROOT);
/** A file, and the tests of it that are named. */
const NAMED = /`([\w/.-]+\.ts)`((?:(?:: |, )"[^"]+")*)/g;

const named = async () =>
  [...(await readFile(README, "utf8")).matchAll(NAMED)].map(([, path = "", titles = ""]) => ({
    path,
    titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => title),
  }));

it("every file that the list of faults names is there, with the tests that it names", async () => {
  for (const { path, titles } of await named()) {
    expect([path, existsSync(new URL(path, ROOT))]).toEqual([path, true]);
    const text = await readFile(new URL(path, ROOT), "utf8");
    for (const title of titles) expect([path, title, text.includes(title)]).toEqual([path, title, true]);
  }
});

it("every file of faults is in the list", async () => {
  const files = (await readdir(new URL("tests/faults/", ROOT))).filter((name) => name.endsWith(".test.ts"));
  const listed = new Set((await named()).map(({ path }) => path));
  expect(files.filter((name) => !listed.has(`tests/faults/${name}`))).toEqual([]);
});
