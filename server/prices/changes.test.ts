import { describe, expect, it } from "vitest";
import { changePercent, hourlyPoints } from "./changes.ts";

const NOW = Date.parse("2026-11-21T12:30:00Z");
const at = (hours: number) => new Date(Date.parse("2026-11-21T12:00:00Z") - hours * 3_600_000);

describe("the change of a price", () => {
  it.each([
    [100n, 110n, "10"],
    [100n, 99n, "-1"],
    [3n, 4n, "33.33"],
    [3n, 2n, "-33.33"],
    [100_000n, 99_999n, "0"],
    [7n, 7n, "0"],
    [null, 7n, null],
    [7n, null, null],
    [0n, 7n, null],
  ])("from %s to %s is %s percent", (before, now, expected) => expect(changePercent(before, now)).toBe(expected));
});

describe("the hours of a spark line", () => {
  it("are 24, the running one last, and one without a price stays a gap", () => {
    const hours = hourlyPoints(
      [
        { at: at(23), price: 1n },
        { at: at(1), price: 2n },
        { at: at(0), price: 3n },
      ],
      NOW,
    );
    expect(hours).toEqual([1n, ...Array.from({ length: 21 }, () => null), 2n, 3n]);
  });

  it("leave out what is older", () => {
    expect(hourlyPoints([{ at: at(24), price: 1n }], NOW)).toEqual(Array.from({ length: 24 }, () => null));
  });
});
