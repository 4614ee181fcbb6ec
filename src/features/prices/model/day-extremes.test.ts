import { expect, it } from "vitest";
import { dayExtremes } from "./day-extremes.ts";

const day = { low: "99.5", high: "101" };

it.each([
  ["100", day],
  ["9.5", { ...day, low: "9.5" }],
  ["102", { ...day, high: "102" }],
  [null, day],
])("a price of %s now", (price, expected) => expect(dayExtremes(day, price)).toEqual(expected));

it("is unknown where nothing was recorded", () => expect(dayExtremes(null, "100")).toBeNull());
