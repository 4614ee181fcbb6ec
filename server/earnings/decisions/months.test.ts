import { expect, test } from "vitest";
import { endedMonth, endOfMonth } from "./months.ts";

test.each([
  ["2026-11-30T23:59:59.999Z", "2026-10", "2026-12-01T00:00:00.000Z"],
  ["2026-12-01T00:00:00.000Z", "2026-11", "2027-01-01T00:00:00.000Z"],
  ["2027-01-31T12:00:00.000Z", "2026-12", "2027-02-01T00:00:00.000Z"],
])("%s is in the month after %s, until %s", (text, ended, end) => {
  const at = new Date(text);
  expect([endedMonth(at), endOfMonth(at).toISOString()]).toEqual([ended, end]);
});
