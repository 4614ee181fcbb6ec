import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ARTIFACT, compileToken } from "./compile-token.ts";

it("keeps the artifact that its source compiles to", async () => {
  expect(await readFile(ARTIFACT, "utf8")).toBe(await compileToken());
});
