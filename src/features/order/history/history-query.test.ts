import { expect, test } from "vitest";
import { filterOf, type HistoryQuery, pageLinks, readHistoryQuery, writeHistoryQuery } from "./history-query.ts";

const WHOLE: HistoryQuery = { state: null, from: null, to: null, search: "", page: 1 };

test.each<[string, Partial<HistoryQuery>]>([
  ["", {}],
  ["?state=COMPLETED&page=3", { state: "COMPLETED", page: 3 }],
  ["?search=7kq4-m&page=2", { search: "7kq4-m", page: 2 }],
  ["?from=2026-11-01&to=2026-11-21", { from: "2026-11-01", to: "2026-11-21" }],
])("%j is read, and written again", (search, expected) => {
  expect(readHistoryQuery(search)).toEqual({ ...WHOLE, ...expected });
  expect(writeHistoryQuery(readHistoryQuery(search))).toBe(search);
});

test.each(["?state=DONE", "?from=yesterday", "?from=2026-99-99", "?page=0", "?page=-1", "?page=x", "?page=1e9"])(
  "%j is the whole list",
  (search) => expect(readHistoryQuery(search)).toEqual(WHOLE),
);

test.each([
  [1, 1, "1"],
  [3, 7, "1 2 3 4 5 6 7"],
  [1, 9, "1 2 … 9"],
  [5, 9, "1 … 4 5 6 … 9"],
  [9, 9, "1 … 8 9"],
])("page %d of %d links to %s", (page, count, links) =>
  expect(
    pageLinks(page, count)
      .map((link) => link ?? "…")
      .join(" "),
  ).toBe(links),
);

test("what is searched for is part of what is asked, without the spaces around it", () => {
  expect(filterOf(readHistoryQuery("?search=%20eth%20"))).toEqual({ search: "eth" });
  expect(filterOf(WHOLE)).toEqual({});
});

test("days begin and end where the reader is", () => {
  const { from = "", to = "" } = filterOf({ ...WHOLE, from: "2026-11-20", to: "2026-11-21" });
  expect(new Date(from).toString()).toContain("Fri Nov 20 2026 00:00:00");
  expect(new Date(to).toString()).toContain("Sun Nov 22 2026 00:00:00");
});
