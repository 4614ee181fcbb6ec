import { expect, it } from "vitest";
import { rateMove } from "./rate-move.ts";

const claimed = { give: "0.7", get: "2182.6" };
const fresh = (amountToGet: string, amountToGive = "0.7") => ({ amountToGive, amountToGet });

it("compares what a fresh rate brings with what was claimed", () => {
  expect(rateMove(claimed, fresh("1949.45"))).toEqual({ direction: "less", difference: "233.15", percent: "10.68" });
  expect(rateMove(claimed, fresh("2183"))).toEqual({ direction: "more", difference: "0.4", percent: "0.02" });
  expect(rateMove(claimed, fresh("2182.6", "0.70"))).toBeNull();
});

it("compares no sums of different deposits", () => expect(rateMove(claimed, fresh("1949.45", "0.6"))).toBeNull());
