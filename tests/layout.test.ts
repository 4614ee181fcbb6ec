import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const MAX_LINES = 250;
const MAX_FILES = 24;

/** Longer files, each with the reason why it is one. */
const LONG_FILES: Readonly<Record<string, string>> = {
  "server/db/schema.ts": "the tables of the database are one type",
  "server/chains/port.ts": "what a driver implements is read as one",
  "server/treasury/ledger/ledger.ts": "the locks of accounts and what is posted under them hold each other's order",
  "server/treasury/payouts/store.ts": "every statement that writes the state of a payout",
  "server/treasury/payouts/send.ts": "all that stands between a payout and its signature, in its order",
  "server/treasury/operator/payouts.ts": "every decision of operators on one payout, under the same locks",
  "server/orders/processing/session.ts": "what one transaction of one order reads and writes, in its order",
  "server/orders/processing/effects.ts": "every effect of a decision, a record that has to be complete",
  "server/orders/processing/advance.ts": "one step of one order from its lock to its commit",
  "scripts/bench/engine/recurring-work.ts": "one list in the order in which the work runs",
};

/** Larger folders, each with the reason why it is one. */
const LARGE_FOLDERS: Readonly<Record<string, string>> = {
  "server/db/migrations": "a migration keeps its number and its place",
};

const files = execFileSync("git", ["ls-files", "--", "src", "server", "contract", "scripts"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(ts|tsx|css|sql)$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file));

it("files are short, but for those that name their reason", () => {
  const long = files.filter(
    (file) => !file.endsWith(".sql") && readFileSync(`${ROOT}${file}`, "utf8").trimEnd().split("\n").length > MAX_LINES,
  );
  expect(long.toSorted()).toEqual(Object.keys(LONG_FILES).toSorted());
});

it("folders have two dozen files at most, but for those that name their reason", () => {
  const sizes = Map.groupBy(
    files.filter((file) => !file.endsWith(".css")),
    (file) => dirname(file),
  );
  const large = [...sizes].filter(([, inside]) => inside.length > MAX_FILES).map(([folder]) => folder);
  expect(large.toSorted()).toEqual(Object.keys(LARGE_FOLDERS).toSorted());
});

it("the build's chunks name files of the contract that exist", () => {
  const config = readFileSync(`${ROOT}vite.config.ts`, "utf8");
  const lists = [...config.matchAll(/\\\/contract\\\/(?:\(\?:\(\?:[\w|]+\)\\\/\)\?)?\(\?:([\w|-]+)\)\\\.ts\$/g)];
  const names = lists.flatMap(([, list = ""]) => list.split("|"));
  expect(lists).toHaveLength(1);
  const missing = names.filter(
    (name) => !files.some((file) => file.startsWith("contract/") && file.endsWith(`/${name}.ts`)),
  );
  expect(missing).toEqual([]);
});
