import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const ROOMS = ["src", "server", "contract", "scripts", "tests", "docs", "locales"];

/** Names that this project once used where the field has a word; the right side is that word. */
const DIALECT: Readonly<Record<string, string>> = {
  messenger: "Telegram",
  house: "services, or own liquidity",
  desk: "order service",
  board: "price snapshot",
  boards: "price snapshots",
  courier: "channel",
  stock: "available balance",
  owed: "authorise (payout)",
  untold: "unsent",
  told: "tracked, notified",
  announced: "published",
  hint: "invalidation",
  hints: "invalidations",
  kept: "saved",
  island: "deferred",
  late: "deferred",
  words: "texts, t, useTranslation",
  translator: "i18n",
  visit: "page state, navigation",
  world: "context, harness",
  shown: "view, visible",
  sight: "observation",
  look: "check, lookup",
  trouble: "error",
  felt: "haptics",
  feeling: "haptics",
  fewest: "min",
  most: "max",
  talk: "capabilities",
  asking: "requests",
  operate: "admin CLI",
  stranger: "unknown sender",
  pursuit: "retry",
  pursue: "retry",
  weather: "environment",
  storm: "run",
  mood: "faults",
};

/** Names that may contain such a word in another meaning, each with its reason. */
const ALLOWED = new Set<string>([]);

const files = execFileSync("git", ["ls-files", "--", ...ROOMS], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !file.startsWith("server/db/migrations/"));

/** `createKeptOrders` → create, kept, orders; `late-part` → late, part. */
const wordsIn = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replace(/[Ll]ook[ -]?[Uu]p/g, "lookup")
    .toLowerCase()
    .split(/[^a-z]+/);

const dialectIn = (name: string): string[] =>
  wordsIn(name).flatMap((word) => (word in DIALECT ? [`${name}: not "${word}" but ${DIALECT[word]}`] : []));

const EXPORTED =
  /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|type|interface) +([A-Za-z_$][\w$]*)/gm;

describe("names are the field's own (CONTRIBUTING.md)", () => {
  it("of files and folders", () => {
    const names = new Set(files.flatMap((file) => [basename(file), ...dirname(file).split("/")]));
    expect([...names].filter((name) => !ALLOWED.has(name)).flatMap(dialectIn)).toEqual([]);
  });

  it("of exports", () => {
    const exported = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) =>
        [...readFileSync(`${ROOT}${file}`, "utf8").matchAll(EXPORTED)].map(([, name = ""]) => ({ file, name })),
      );
    expect(exported.length).toBeGreaterThan(500);
    const wrong = exported.filter(({ name }) => !ALLOWED.has(name));
    expect(wrong.flatMap(({ file, name }) => dialectIn(name).map((what) => `${file}: ${what}`))).toEqual([]);
  });

  it("and the test finds such a name", () => {
    expect(dialectIn("createKeptOrders")).toEqual(['createKeptOrders: not "kept" but saved']);
    expect(dialectIn("keyboard.ts")).toEqual([]);
  });
});
