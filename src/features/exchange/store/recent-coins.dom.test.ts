import { afterEach, expect, it } from "vitest";
import { recentCoins, rememberCoin } from "./recent-coins.ts";

afterEach(() => localStorage.clear());

it("keeps the six coins that were chosen last, the newest first and each once", () => {
  for (const slug of ["a", "b", "c", "d", "e", "f", "g", "c"]) rememberCoin(slug);
  expect(recentCoins()).toEqual(["c", "g", "f", "e", "d", "b"]);
});

it.each(["not json", '{"a":1}', '"eth"', "null"])("takes %s for nothing", (text) => {
  localStorage.setItem("recent-coins:v1", text);
  expect(recentCoins()).toEqual([]);
});

it("leaves out what is no slug", () => {
  localStorage.setItem("recent-coins:v1", '["eth",7,null,"btc"]');
  expect(recentCoins()).toEqual(["eth", "btc"]);
});
