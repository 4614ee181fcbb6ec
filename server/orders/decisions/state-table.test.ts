import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stateTable } from "../../../tests/support/orders/state-table.ts";
import { IN_PROGRESS } from "../../db/orders-in-progress.ts";
import type { OrderState } from "./order.ts";

const ORDER_STATES = new URL("../../../docs/order-states.md", import.meta.url);

const text = readFileSync(ORDER_STATES, "utf8");
const documented = /<!-- state table -->\n([\s\S]*?)\n<!-- end of state table -->/.exec(text)?.[1] ?? "";

/** Each cell as its state, its command and its text. */
function cellsOf(table: string): [state: string, command: string, does: string][] {
  const [head = [], , ...rows] = table.split("\n").map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.flatMap(([state = "", ...cells]) =>
    cells.map((does, at): [string, string, string] => [state.replaceAll("*", ""), head[at + 1] ?? "", does]),
  );
}

it("docs/order-states.md lists the transitions of the code", () => {
  // To update it, paste what this test prints as expected between the two marks.
  expect(documented).toBe(stateTable());
});

describe("every state, given every command", () => {
  const decided = new Map(cellsOf(stateTable()).map(([state, command, does]) => [`${state} ${command}`, does]));

  it.each(cellsOf(documented))("an order %s, on %s: %s", (state, command, does) => {
    expect(decided.get(`${state} ${command}`)).toBe(does);
  });
});

it("a state is of an order under way unless it waits for a deposit or is over", () => {
  const isOf = {
    awaiting_deposit: false,
    expired: false,
    confirming: true,
    awaiting_choice: true,
    paying: true,
    rerouting: true,
    completed: false,
    refund_requested: true,
    refunding: true,
    refunded: false,
  } satisfies Record<OrderState["kind"], boolean>;
  expect(Object.entries(isOf).flatMap(([state, is]) => (is ? [state] : []))).toEqual(IN_PROGRESS);
});
