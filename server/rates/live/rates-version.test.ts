import { beforeEach, expect, it } from "vitest";
import { createLog } from "../../base/logging/log.ts";
import { noPriceNow } from "../errors.ts";
import { createRatesVersion, type RatesVersion } from "./rates-version.ts";

let time = 0;
let isPriced = true;
let version: RatesVersion;
beforeEach(() => {
  [time, isPriced] = [0, true];
  const snapshot = () => {
    if (!isPriced) throw noPriceNow();
    return { at: new Date(), prices: new Map(), fees: new Map() };
  };
  version = createRatesVersion(
    () => ({ snapshot }),
    createLog({ level: "silent" }),
    () => time,
  );
});
const both = () => [version.ofRates(), version.ofPrices()];

it("stays as long as nothing changes", () => {
  const before = both();
  time = 999;
  expect(both()).toEqual(before);
});

it("changes with what a rate is made of, and every second", () => {
  const [rates, prices] = both();
  version.bump();
  expect(both()).not.toContain(rates);
  expect(both()).not.toContain(prices);
  const bumped = both();
  time = 1_000;
  for (const one of both()) expect(bumped).not.toContain(one);
});

it("fails as a rate does once the prices have expired, and changes what is shown with prices", () => {
  const [, prices] = both();
  isPriced = false;
  expect(() => version.ofRates()).toThrow("no market price");
  expect(version.ofPrices()).not.toBe(prices);
});
