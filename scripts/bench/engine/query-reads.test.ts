import { expect, test } from "vitest";
import { readsOf } from "./query-reads.ts";

const claim = {
  "Node Type": "ModifyTable",
  "Relation Name": "orders",
  Plans: [
    {
      "Node Type": "Nested Loop",
      Plans: [
        {
          "Node Type": "Index Scan",
          "Relation Name": "orders",
          "Index Name": "orders_due",
          "Actual Rows": 2,
          "Actual Loops": 3,
        },
        {
          "Node Type": "Seq Scan",
          "Relation Name": "deposits",
          "Actual Rows": 1,
          "Rows Removed by Filter": 99,
          "Actual Loops": 1,
        },
        {
          "Node Type": "Bitmap Heap Scan",
          "Relation Name": "payouts",
          "Actual Rows": 5,
          "Actual Loops": 1,
          Plans: [{ "Node Type": "Bitmap Index Scan", "Index Name": "payouts_due", "Actual Rows": 7 }],
        },
      ],
    },
  ],
};

test("scans are found at any depth with the rows that they read, and a table that is only written is not read", () => {
  expect(readsOf([{ Plan: claim }])).toEqual([
    { node: "Index Scan", table: "orders", index: "orders_due", rows: 6, loops: 3 },
    { node: "Seq Scan", table: "deposits", index: null, rows: 100, loops: 1 },
    { node: "Bitmap Heap Scan", table: "payouts", index: "payouts_due", rows: 5, loops: 1 },
  ]);
});

test("an answer that is no plan is an error, not a plan that reads nothing", () => {
  expect(() => readsOf([{ Query: "select" }])).toThrow();
});
