import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FOLDERS = ["src", "server", "contract", "scripts", "tests", "docs", "locales"];

/** Words that the field does not use for these things, and the words that it uses. */
const WRONG_WORDS: Readonly<Record<string, string>> = {
  messenger: "Telegram",
  house: "services",
  board: "price snapshot",
  desk: "order service",
  told: "tracked, notified",
  untold: "unsent",
  announce: "publish, notify",
  announced: "published",
  tell: "publish, notify",
  give: "abandon, grant, transfer; from (as in instrumentFrom)",
  late: "deferred, lazy",
  way: "route, link; refund address",
  ways: "routes, links",
  kept: "saved",
  island: "deferred, lazy",
  words: "t, useTranslation, texts",
  translator: "i18n",
  world: "context, environment",
  shown: "view, visible",
  sight: "observation",
  look: "check, lookup",
  trouble: "error",
  feel: "haptics",
  fewest: "min",
  courier: "channel",
  owed: "authorise (payout)",
  talk: "capabilities",
  asking: "requests",
  operate: "admin CLI",
  stranger: "unknown sender",
};

/** Names that may contain such a word in another meaning, each with its reason. */
const ALLOWED = new Set<string>([
  // Dust that arrives after an order has ended.
  "archiveLateDust",
]);

const files = execFileSync("git", ["ls-files", "--", ...FOLDERS], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !file.startsWith("server/db/migrations/"));

/** `createKeptOrders` → create, kept, orders; `told-steps` → told, steps. */
const wordsIn = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replace(/[Ll]ook[ -]?[Uu]p/g, "lookup")
    .toLowerCase()
    .split(/[^a-z]+/);

const wrongWordsIn = (name: string): string[] =>
  wordsIn(name).flatMap((word) =>
    Object.hasOwn(WRONG_WORDS, word) ? [`${name}: not "${word}" but ${WRONG_WORDS[word]}`] : [],
  );

const EXPORTED =
  /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|type|interface) +([A-Za-z_$][\w$]*)/gm;

/** Of those words the ones that a title has no other use for. Flows of the browser have their names in tests/e2e/support/flows.ts. */
const WRONG_IN_TITLES = /: .*\b(?:messenger|told|untold|strangers?|courier|owed|trouble)\b/i;
const TITLE = /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(["'`])((?:(?!\1).)*)\1/g;

describe("names are the field's terms (CONTRIBUTING.md)", () => {
  it("of files and folders", () => {
    const names = new Set(files.flatMap((file) => [basename(file), ...dirname(file).split("/")]));
    expect([...names].filter((name) => !ALLOWED.has(name)).flatMap(wrongWordsIn)).toEqual([]);
  });

  it("of exports", () => {
    const exported = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) =>
        [...readFileSync(`${ROOT}${file}`, "utf8").matchAll(EXPORTED)].map(([, name = ""]) => ({ file, name })),
      );
    expect(exported.length).toBeGreaterThan(500);
    const wrong = exported.filter(({ name }) => !ALLOWED.has(name));
    expect(wrong.flatMap(({ file, name }) => wrongWordsIn(name).map((what) => `${file}: ${what}`))).toEqual([]);
  });

  it("of tests", () => {
    const titles = files
      .filter((file) => /\.test\.tsx?$/.test(file))
      .flatMap((file) =>
        [...readFileSync(`${ROOT}${file}`, "utf8").matchAll(TITLE)].map(([, , title = ""]) => `${file}: ${title}`),
      );
    expect(titles.length).toBeGreaterThan(4_000);
    expect(titles.filter((title) => WRONG_IN_TITLES.test(title))).toEqual([]);
  });

  it("and a wrong name is found", () => {
    expect(wrongWordsIn("createKeptOrders")).toEqual(['createKeptOrders: not "kept" but saved']);
    expect(wrongWordsIn("keyboard.ts")).toEqual([]);
  });
});
