import { expect, it } from "vitest";
import { createPace } from "./pace.ts";

const limits = new Map([
  ["BTC", { blockSeconds: 600 }],
  ["ETH", { blockSeconds: 12 }],
  ["SOL", { blockSeconds: 0.4 }],
]);
const paceWhile = (isInUse: boolean, isLocal = false) =>
  createPace({ limits, isLocal, nodes: new Set(["BTC"]), activity: { isInUse: () => isInUse } });

it("reads a network that nobody waits for at its own pace", () => {
  const pace = paceWhile(false);
  expect(["BTC", "ETH", "SOL"].map(pace.blocks)).toEqual([45_000, 12_000, 5_000]);
  expect(["BTC", "ETH", "SOL"].map(pace.mempool)).toEqual([45_000, 12_000, 5_000]);
  expect(["BTC", "ETH", "SOL"].map(pace.head)).toEqual([15_000, 6_000, 2_000]);
});

it("reads it quicker while somebody waits, so that a payment is shown within 5 s", () => {
  const pace = paceWhile(true);
  expect(["BTC", "ETH", "SOL"].map(pace.blocks)).toEqual([5_000, 1_200, 500]);
  expect(["BTC", "ETH", "SOL"].map(pace.mempool)).toEqual([2_000, 2_000, 2_000]);
});

it("follows local chains, whose blocks are short, closely while somebody waits", () => {
  expect(paceWhile(true, true).blocks("BTC")).toBe(500);
  expect(["BTC", "ETH", "SOL"].map(paceWhile(false, true).blocks), "not all at once").toEqual([55_000, 55_300, 55_600]);
});

it("asks a node every 15 seconds at least, so that one that hangs is down in a bounded time", () => {
  for (const isLocal of [true, false]) expect(paceWhile(false, isLocal).head("BTC")).toBe(15_000);
  expect(paceWhile(false, true).head("ETH")).toBe(55_000);
});

it("checks often enough never to take an idle network for one that stands still", () => {
  for (const isLocal of [true, false])
    for (const network of limits.keys()) expect(paceWhile(false, isLocal).head(network)).toBeLessThan(120_000 / 2);
});
