import { expect, it } from "vitest";
import { boundedLocation } from "./page-bounds.ts";

it.each([
  ["is led there", "/ru/orders?page=2#end", "/ru/orders?page=2#end"],
  ["with a query that no header holds is led to the page without it", `/orders?q=${"!".repeat(5_000)}`, "/orders"],
  ["with a path that no header holds is led home", `/${"a".repeat(5_000)}?q=1`, "/"],
])("whoever is redirected to an address %s", (_, to, expected) => {
  expect(boundedLocation(to)).toBe(expected);
});
