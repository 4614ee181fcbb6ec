import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const isThere = (path: string): boolean => existsSync(join(ROOT, path));

const pages = execFileSync("git", ["ls-files", "--", "*.md"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((page) => page !== "");

describe("every page of the documentation", () => {
  it.each(pages)("%s has working links", (page) => {
    // A link in code is an example, and the pictures of articles are found by the build (scripts/lib/content/pictures.ts).
    const text = read(page).replaceAll(/`[^`\n]+`/g, "");
    const written = page.startsWith("content/") ? text.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "") : text;
    const links = [...written.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(
      ([, link = "", source = ""]) => link || source,
    );
    // Of an article, addresses of the site are followed in the browser (tests/e2e/crawl.spec.ts).
    const elsewhere = page.startsWith("content/") ? /^(https?:|mailto:|\/)/ : /^(https?:|mailto:)/;
    const broken = links.filter((link) => !elsewhere.test(link) && !leadsSomewhere(page, link));
    expect(broken).toEqual([]);
  });

  it.each(pages)("%s names existing files", (page) => {
    const named = [...read(page).matchAll(/`((?:contract|src|server|tests|scripts|locales|docs|public)\/[\w./-]+)`/g)];
    const paths = named.map(([, path = ""]) => path.replace(/\/$/, ""));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!isThere(target)) return false;
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).includes(anchor);
}

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );

it("ARCHITECTURE names existing files in the row of their folder", () => {
  const rows: { root: string; row: string }[] = [];
  let root = "";
  for (const line of read("ARCHITECTURE.md").split("\n")) {
    root = /^## (src|server)$/.exec(line)?.[1] ?? (line.startsWith("## ") ? "" : root);
    if (root !== "" && line.startsWith("| `")) rows.push({ root, row: line });
  }
  expect(rows.length).toBeGreaterThan(15);
  const missing = rows.flatMap(({ root: top, row }) => {
    const [, first = "", content = ""] = row.split("|");
    const folders = quoted(first).map((name) => `${top}/${name.replace(/\/$/, "")}`);
    const inFolders = quoted(content).flatMap((name) =>
      /^[\w*-]+\.(?:tsx?|json)$|^[\w-]+\/$/.test(name) ? [name] : [],
    );
    const exists = (folder: string, name: string) =>
      name.includes("*") ? hasMatch(folder, name) : isThere(`${folder}/${name}`) || isInSubfolder(folder, name);
    return [
      ...folders.filter((path) => !isThere(path)),
      ...inFolders.filter((name) => !folders.some((folder) => exists(folder, name))).map((name) => `${first}: ${name}`),
    ];
  });
  expect(missing).toEqual([]);
});

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
const hasMatch = (folder: string, pattern: string): boolean =>
  readdirSync(join(ROOT, folder)).some((name) => name.startsWith(pattern.slice(0, pattern.indexOf("*"))));
const isInSubfolder = (folder: string, name: string): boolean =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && isThere(`${folder}/${entry.name}/${name}`),
  );

it("code and documents cite existing sections", () => {
  const sections: Record<string, Set<string>> = {
    spec: new Set([...read("docs/specification.md").matchAll(/^## (\d+)\./gm)].map(([, number = ""]) => number)),
    contract: new Set([...read("docs/contract.md").matchAll(/^## (\d+)\./gm)].map(([, number = ""]) => number)),
  };
  const laws = new Set([...read("docs/engine.md").matchAll(/^(\d+)\. \*\*/gm)].map(([, number = ""]) => number));
  const listed = ["contract", "src", "server", "tests", "scripts", "docs", "*.md"];
  const files = execFileSync("git", ["ls-files", "--", ...listed], { cwd: ROOT, encoding: "utf8" })
    .split("\n")
    .filter((file) => /\.(?:tsx?|css|md|sql)$/.test(file) && file !== "tests/docs.test.ts" && isThere(file));
  let cited = 0;
  const dangling = files.flatMap((file) => {
    const text = read(file);
    const citations = [...text.matchAll(/\b(spec|contract|ui|engine|pwa)(?:\.md)? §(\d+)/g)];
    const cases = [...text.matchAll(/\bengine law (\d+)/g)];
    cited += citations.length + cases.length;
    return [
      ...citations.filter(([, page = "", number = ""]) => sections[page]?.has(number) !== true),
      ...cases.filter(([, number = ""]) => !laws.has(number)),
    ].map(([what]) => `${file}: ${what}`);
  });
  expect(cited).toBeGreaterThan(100);
  expect(dangling).toEqual([]);
});

it("README and ARCHITECTURE stay short", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(120);
  expect(read("ARCHITECTURE.md").split("\n").length).toBeLessThanOrEqual(150);
});

describe("the table of the specification's rules", () => {
  const rules = read("docs/specification-rules.md")
    .split("\n")
    .map((line) => line.split("|").map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path)))
    .map(([, , keepers = [], proofs = []]) => ({ keepers, proofs }))
    .filter(({ keepers, proofs }) => keepers.length + proofs.length > 0);

  it("names the code and a test for each rule, each file once", () => {
    expect(rules.length).toBeGreaterThan(40);
    const repeats = (paths: string[]) => new Set(paths).size < paths.length;
    expect(rules.filter(({ keepers, proofs }) => repeats(keepers) || repeats(proofs))).toEqual([]);
    expect(rules.filter(({ keepers }) => keepers.length === 0)).toEqual([]);
    expect(rules.filter(({ proofs }) => !proofs.some((path) => /\.(?:test|spec)\.tsx?$/.test(path)))).toEqual([]);
    expect(rules.flatMap(({ keepers, proofs }) => [...keepers, ...proofs]).filter((path) => !isThere(path))).toEqual(
      [],
    );
  });
});

it("every law of the engine names what shows it, and what notices when its rule is taken away", () => {
  const engine = read("docs/engine.md");
  const laws = [...engine.matchAll(/^(\d+)\. \*\*/gm)].map(([, law]) => law);
  const rows = [...engine.matchAll(/^\| (\d+) \| (.+) \| (.+) \|$/gm)];
  expect(rows.map(([, law]) => law)).toEqual(laws);
  for (const [, , shown, taken] of rows)
    for (const cell of [shown, taken]) expect(cell).toMatch(/`[\w/.-]+\.test\.ts`/);
});

/** The files that a page names, each with the titles of its tests that are named. */
const testsNamedIn = (page: string): { path: string; titles: string[] }[] =>
  [...read(page).matchAll(/`([\w/.-]+\.tsx?)`((?:(?:: |, )"[^"]+")*)/g)].map(([, path = "", titles = ""]) => ({
    path,
    titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => title),
  }));

describe.each(["tests/faults/README.md", "docs/security.md", "docs/engine.md"])("the tests in %s", (page) => {
  it("are those of existing files and titles", () => {
    const named = testsNamedIn(page);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ path }) => !isThere(path))).toEqual([]);
    for (const { path, titles } of named) {
      const text = read(path);
      expect(titles.filter((title) => !text.includes(title)).map((title) => `${path}: ${title}`)).toEqual([]);
    }
  });
});

describe("the rules of security", () => {
  const rows = read("docs/security.md")
    .split("\n## ")
    .slice(3)
    .flatMap((section) =>
      section
        .split("\n")
        .filter((line) => line.startsWith("| "))
        .slice(1),
    );

  it("each name a test, or why there is none", () => {
    expect(rows.length).toBeGreaterThan(30);
    const isProved = (row: string) => /`[\w/.-]+\.(?:test|spec)\.tsx?`|\| does not apply: \w/.test(row);
    expect(rows.filter((row) => !isProved(row))).toEqual([]);
  });
});

describe("the list of faults", () => {
  it("lists every file of faults", () => {
    const listed = new Set(testsNamedIn("tests/faults/README.md").map(({ path }) => path));
    const files = readdirSync(join(ROOT, "tests/faults")).filter((name) => name.endsWith(".test.ts"));
    expect(files.filter((name) => !listed.has(`tests/faults/${name}`))).toEqual([]);
  });
});

describe("the numbers of the audit", () => {
  const security = read("docs/security.md");
  const numbersIn = (text: string, letter: "S" | "F"): string[] =>
    Array.from(text.matchAll(new RegExp(`^\\| (${letter}\\d{2}) \\|`, "gm")), ([, number = ""]) => number);
  const upTo = (letter: "S" | "F", last: number): string[] =>
    Array.from({ length: last }, (_, index) => `${letter}${`${index + 1}`.padStart(2, "0")}`);

  it("are all there, once: as many rows and faults as the page says", () => {
    const [, rows, faults] = /Each of the (\d+) rows[^]*The faults F01 to F(\d+)/.exec(security) ?? [];
    expect(numbersIn(security, "S")).toEqual(upTo("S", Number(rows)));
    expect(numbersIn(read("tests/faults/README.md"), "F").slice(0, Number(faults))).toEqual(upTo("F", Number(faults)));
  });
});

describe("the tables of the interface's components", () => {
  const page = read("docs/ui.md");
  /** The component names of one column of a section's table. */
  const namesIn = (heading: string, column: number): string[] =>
    (page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "")
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(1)
      .flatMap((row) => row.split(" | ")[column]?.match(/\b[A-Z]\w+/g) ?? []);
  const built = new Set(namesIn("Built on telegram-ui", 1));

  it("name every component that telegram-ui exports", () => {
    const folder = "node_modules/@telegram-apps/telegram-ui/dist/components";
    const exported = readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => [...read(`${folder}/${name}/index.d.ts`).matchAll(/^export \{ (\w+) \}/gm)])
      .map(([, name = ""]) => name);
    expect(exported.length).toBeGreaterThan(60);
    const named = new Set([...built, ...namesIn("Exceptions", 0)]);
    expect(exported.filter((name) => !named.has(name))).toEqual([]);
  });

  it("name as built on what src/shared/ui imports", () => {
    const imported = readdirSync(join(ROOT, "src/shared/ui"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".tsx"))
      .flatMap((file) => [
        ...read(`src/shared/ui/${file}`).matchAll(/import \{(.+)\} from "@telegram-apps\/telegram-ui"/g),
      ])
      .flatMap(([, names = ""]) => names.split(","))
      .map((name) => name.trim())
      .filter((name) => !name.startsWith("type "))
      .map((name) => name.replace(/ as .*/, ""));
    expect([...built].toSorted()).toEqual([...new Set(imported)].toSorted());
  });
});
