import { expect, it } from "vitest";
import { storedNetwork, storedReference } from "./references.ts";

it.each([
  ["E229-2Z2S", "E229-2Z2S"],
  ["e229-2z2s", "E229-2Z2S"],
  ["E2292Z2S", "E229-2Z2S"],
  ["7kq4-ooil", "7KQ4-0011"],
  ["E229-2Z2", "E229-2Z2"],
  ["E229-2Z2U", "E229-2Z2U"],
  ["abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx"],
])("%s is looked up as %s", (given, stored) => {
  expect(storedReference(given)).toBe(stored);
});

it.each([
  ["eth", "ETH"],
  ["Xmr", "XMR"],
  ["ETH", "ETH"],
  ["usdt-erc20", "usdt-erc20"],
  ["nowhere", "nowhere"],
])("the network %s is looked up as %s", (given, stored) => {
  expect(storedNetwork(given)).toBe(stored);
});
