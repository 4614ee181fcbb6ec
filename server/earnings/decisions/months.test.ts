import { expect, test } from "vitest";
import { endedMonth, endOfMonth, monthOf } from "./months.ts";

test.each([
  ["2026-11-30T23:59:59.999Z", "2026-11", "2026-10", "2026-12-01T00:00:00.000Z"],
  ["2026-12-01T00:00:00.000Z", "2026-12", "2026-11", "2027-01-01T00:00:00.000Z"],
  ["2027-01-31T12:00:00.000Z", "2027-01", "2026-12", "2027-02-01T00:00:00.000Z"],
])("%s is in %s, after %s, until %s", (text, month, ended, end) => {
  const at = new Date(text);
  expect([monthOf(at), endedMonth(at), endOfMonth(at).toISOString()]).toEqual([month, ended, end]);
});
