import { describe, expect, test } from "vitest";
import { type BackStep, backStep } from "./back-step.ts";

const HISTORY: BackStep = { to: "history" };
const DIALOG: BackStep = { to: "dialog" };
const parent = (path: string): BackStep => ({ to: "parent", path });

const ORDER = "/order/0197?destinationAddress=x";
const STEP = "/exchange-eth-ton?amount=5&step=destination";

describe("Back, by what is open and where the page was come to from", () => {
  test.each<[from: string, dialogs: number, depth: number, step: BackStep]>([
    ["/", 0, 0, null],
    ["/", 0, 3, null],
    ["/ru", 0, 1, null],
    ["/orders", 0, 1, null],
    ["/ru/orders", 0, 1, null],
    ["/exchange-eth-ton?amount=5", 0, 2, null],
    ["/exchange-eth-ton?step=other", 0, 2, null],
    ["/", 1, 0, DIALOG],
    [ORDER, 2, 4, DIALOG],
    [STEP, 1, 1, DIALOG],
    [STEP, 0, 1, HISTORY],
    [STEP, 0, 0, parent("/exchange-eth-ton?amount=5")],
    ["/ru/exchange-eth-ton?step=destination", 0, 0, parent("/ru/exchange-eth-ton")],
    [ORDER, 0, 2, HISTORY],
    [ORDER, 0, 0, parent("/orders")],
    ["/ru/order/pending", 0, 0, parent("/ru/orders")],
    ["/popular-exchanges", 0, 1, HISTORY],
    ["/popular-exchanges", 0, 0, parent("/")],
    ["/ru/popular-exchanges", 0, 0, parent("/ru")],
    ["/nowhere", 0, 0, parent("/")],
    ["/order/%E0%A4%A", 0, 0, parent("/")],
  ])("from %s under %d dialogs and %d pages deep", (from, dialogs, depth, step) => {
    const [path = "", search = ""] = from.split("?");
    expect(backStep({ path, search, dialogs, depth })).toEqual(step);
  });
});
