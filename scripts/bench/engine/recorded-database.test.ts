import { expect, test } from "vitest";
import { readPlan } from "./recorded-database.ts";

const claim = {
  "Node Type": "ModifyTable",
  "Relation Name": "orders",
  Plans: [
    {
      "Node Type": "Nested Loop",
      Plans: [
        { "Node Type": "Index Scan", "Relation Name": "orders", "Index Name": "orders_due" },
        { "Node Type": "Parallel Seq Scan", "Relation Name": "deposits" },
        { "Node Type": "Bitmap Index Scan", "Index Name": "deposits_open" },
      ],
    },
  ],
};

test("scans and indexes are found at any depth, and a table that is only written is not scanned", () => {
  expect(readPlan([{ Plan: claim }])).toEqual({
    scannedTables: ["deposits"],
    indexes: ["orders_due", "deposits_open"],
  });
});

test("an answer that is no plan is an error, not a plan that reads nothing", () => {
  expect(() => readPlan([{ Query: "select" }])).toThrow();
});
