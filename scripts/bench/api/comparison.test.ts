import { expect, test } from "vitest";
import { compare, type Round } from "./comparison.ts";
import { isMissed } from "../figure.ts";

const round = (perSecond: number, floorPerSecond: number, failed = 0): Round => ({
  perSecond,
  floorPerSecond,
  failed,
  p50: 2,
  p99: 40,
});
const goals = { perSecond: 100, p99: 50, ratio: 0.5 };

test("each round is compared with its own floor, so that a slow moment of the machine changes no ratio", () => {
  const figures = compare("creation", [round(600, 1000), round(60, 100), round(300, 500)], goals);
  expect(figures.map(({ value }) => value)).toEqual([300, 2, 40, 0.6]);
  expect(figures.some(isMissed)).toBe(false);
});

test("a ratio under its goal and failed answers are missed goals", () => {
  const missed = compare("creation", [round(400, 1000, 3)], goals).filter(isMissed);
  expect(missed.map(({ name }) => name.trim())).toEqual(["ratio to its floor", "failed answers"]);
});
