import { beforeEach, expect, it, vi } from "vitest";

/** A page that opens with this on the device. */
async function open(saved?: string) {
  if (saved !== undefined) localStorage.setItem("recent-coins:v1", saved);
  vi.resetModules();
  return import("./recent-coins.ts");
}

beforeEach(() => localStorage.clear());

it("keeps the six coins that were chosen last, the newest first and each once", async () => {
  const { rememberCoin } = await open();
  for (const slug of ["a", "b", "c", "d", "e", "f", "g", "c"]) rememberCoin(slug);
  const { recentCoins } = await open();
  expect(recentCoins()).toEqual(["c", "g", "f", "e", "d", "b"]);
});

it("adds to what another tab has chosen meanwhile", async () => {
  const { recentCoins, rememberCoin } = await open('["eth"]');
  localStorage.setItem("recent-coins:v1", '["btc","eth"]');
  dispatchEvent(new StorageEvent("storage", { key: "recent-coins:v1" }));
  rememberCoin("xmr");
  expect(recentCoins()).toEqual(["xmr", "btc", "eth"]);
});

it.each(["not json", '{"a":1}', '"eth"', "null"])("takes %s for nothing", async (text) => {
  const { recentCoins } = await open(text);
  expect(recentCoins()).toEqual([]);
});

it("leaves out what is no slug", async () => {
  const { recentCoins } = await open('["eth",7,null,"btc"]');
  expect(recentCoins()).toEqual(["eth", "btc"]);
});
