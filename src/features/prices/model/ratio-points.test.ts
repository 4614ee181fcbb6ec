import { expect, it } from "vitest";
import { ratioPoints } from "./ratio-points.ts";

const at = (hour: number) => `2026-11-21T0${hour}:00:00.000Z`;

it.each<[why: string, points: [string, string][], inCoin: [string, string][], expected: [string, string][]]>([
  ["divides the prices of a time", [[at(1), "3000"]], [[at(1), "1.5"]], [[at(1), "2000"]]],
  ["leaves out a time that one of them lacks", [[at(1), "3000"]], [[at(2), "1.5"]], []],
  ["has none in a coin that was worth nothing", [[at(1), "3000"]], [[at(1), "0"]], []],
  ["keeps a cheap coin in a dear one", [[at(1), "0.00001"]], [[at(1), "100000"]], [[at(1), "0.0000000001"]]],
])("%s", (_, points, inCoin, expected) => {
  expect(ratioPoints(points, inCoin)).toEqual(expected);
});
