import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { stateTable } from "../../tests/support/state-table.ts";

const ARCHITECTURE = new URL("../../ARCHITECTURE.md", import.meta.url);

it("ARCHITECTURE.md shows the transitions that the code has", async () => {
  const text = await readFile(ARCHITECTURE, "utf8");
  // To renew it, put what this test prints as expected between the two marks.
  const shown = /<!-- state table -->\n([\s\S]*?)\n<!-- end of state table -->/.exec(text)?.[1];
  expect(shown).toBe(stateTable());
});
