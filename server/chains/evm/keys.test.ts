import { HDKey } from "@scure/bip32";
import fc from "fast-check";
import { toHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { expect, it } from "vitest";
import { addressesBelow, depositAccounts, depositXpub } from "./keys.ts";

const MNEMONIC = "test test test test test test test test test test test junk";
const addressAt = addressesBelow(depositXpub(MNEMONIC));

it("derives the first addresses that every wallet shows for this mnemonic", () => {
  expect([0n, 1n, 2n].map(addressAt)).toEqual([
    "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  ]);
});

it("derives the address of the private key at any branch and index", () => {
  const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(seed, fc.integer({ min: 0, max: 2 ** 31 - 1 }), (bytes, index) => {
      const branch = HDKey.fromMasterSeed(bytes);
      const { privateKey } = branch.deriveChild(index);
      if (privateKey === null) throw new Error("no key");
      expect(addressesBelow(branch.publicExtendedKey)(BigInt(index))).toBe(privateKeyToAddress(toHex(privateKey)));
    }),
    { numRuns: 50 },
  );
});

it("agrees with the accounts that sign sweeps", () => {
  const accountAt = depositAccounts(MNEMONIC);
  for (const index of [0n, 7n, 2n ** 31n - 1n]) expect(accountAt(index).address).toBe(addressAt(index));
});

it("refuses an index out of range and an extended private key", () => {
  expect(() => addressAt(-1n)).toThrow(RangeError);
  expect(() => addressAt(2n ** 31n)).toThrow(RangeError);
  const { privateExtendedKey } = HDKey.fromMasterSeed(new Uint8Array(32).fill(1));
  expect(() => addressesBelow(privateExtendedKey)).toThrow("not from a private one");
});
