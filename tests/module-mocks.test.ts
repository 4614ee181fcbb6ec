import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MOCKS_MODULES } from "../vitest.config.ts";

test("only files that have modules of their own replace or reset modules", () => {
  const files = globSync(["{contract,server,scripts,src}/**/*.test.ts", "tests/{*,support/**/*}.test.ts"]);
  const own = /\.dom\.test\.ts$/;
  const mocking = files.filter(
    (file) => !own.test(file) && /\bvi\.(doMock|mock|resetModules|unmock)\(/.test(readFileSync(file, "utf8")),
  );
  expect(mocking.toSorted()).toEqual(MOCKS_MODULES);
});
