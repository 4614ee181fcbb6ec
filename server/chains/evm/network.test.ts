import { expect, it } from "vitest";
import { addressSpaceOf } from "../port.ts";
import { depositXpub } from "./keys.ts";
import { createEvmNetwork } from "./network.ts";

const xpub = depositXpub("test test test test test test test test test test test junk");

it("EVM networks derive the same addresses, so they count their indexes together", () => {
  const [one, two] = (["ETH", "BSC"] as const).map((networkTitle, at) =>
    createEvmNetwork({
      networkTitle,
      chainId: 1 + 55 * at,
      rpcUrl: "http://127.0.0.1:1",
      timeoutMs: 1,
      xpub,
      instruments: [{ slug: networkTitle.toLowerCase(), contractAddress: null, decimals: 18 }],
    }),
  );
  if (one === undefined || two === undefined) throw new Error("two networks were made");
  expect(one.depositAddress(7n)).toEqual(two.depositAddress(7n));
  expect(addressSpaceOf(one)).toBe(addressSpaceOf(two));
});
