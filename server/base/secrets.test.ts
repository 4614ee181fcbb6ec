import { expect, it } from "vitest";
import { traceId } from "./secrets.ts";

it("makes ids of 128 bits that never repeat, whatever is made at once", () => {
  const ids = Array.from({ length: 2_000 }, traceId);
  expect(ids.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
