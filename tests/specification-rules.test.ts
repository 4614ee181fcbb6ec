import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const ROOT = new URL("../", import.meta.url);
/** The table's rows that name files: the rule, who keeps it, and what shows that. */
function rules(): { rule: string; keepers: string[]; proofs: string[] }[] {
  const page = readFileSync(new URL("docs/specification-rules.md", ROOT), "utf8");
  const filesIn = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
  return page
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, rule = "", keepers, proofs]) => ({ rule, keepers: filesIn(keepers), proofs: filesIn(proofs) }))
    .filter(({ keepers, proofs }) => keepers.length + proofs.length > 0);
}

describe("the table of the specification's rules", () => {
  test("is there", () => expect(rules().length).toBeGreaterThan(40));

  test.each(rules())("$rule: names files that exist, a test among them", ({ keepers, proofs }) => {
    expect([...keepers, ...proofs].filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
    expect(keepers.length).toBeGreaterThan(0);
    expect(proofs.filter((path) => /\.(?:test|spec)\.tsx?$/.test(path)).length).toBeGreaterThan(0);
  });
});
