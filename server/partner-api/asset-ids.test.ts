import { expect, test } from "vitest";
import { loadCatalogue } from "../catalogue/index.ts";
import { assetIdsOf } from "./asset-ids.ts";

const CAIP_19 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}\/[-a-z0-9]{3,8}:[-.%a-zA-Z0-9]{1,128}$/;

test("every coin of the catalogue has a CAIP-19 id of its own", async () => {
  const { instruments } = await loadCatalogue();
  const coins = [...instruments.values()].filter(({ instrumentType }) => instrumentType !== "fiat");
  const ids = coins.map((one) => assetIdsOf(one).assetId ?? one.slug);
  expect(ids.filter((id) => !CAIP_19.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(coins.length);
  expect(ids).toContain("bip122:000000000019d6689c085ae165831e93/slip44:0");
  expect(ids).toContain("tron:0x2b6653dc/trc20:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
});

test("a node names the chain that it serves; a network that nobody knows has none", async () => {
  const eth = { networkTitle: "ETH", contractAddress: null, networkStandard: null };
  expect(assetIdsOf(eth, "eip155:31337")).toEqual({ chainId: "eip155:31337", assetId: "eip155:31337/slip44:60" });
  expect(assetIdsOf({ ...eth, networkTitle: "OWN" })).toEqual({ chainId: null, assetId: null });
  expect(assetIdsOf({ ...eth, networkTitle: "OWN" }, "eip155:9")).toEqual({ chainId: "eip155:9", assetId: null });
});
