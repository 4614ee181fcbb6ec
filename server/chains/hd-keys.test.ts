import { HDKey } from "@scure/bip32";
import fc from "fast-check";
import { expect, it } from "vitest";
import { publicKeysBelow } from "./hd-keys.ts";

it("derives the same keys as the library, public and private, below any key at any index", () => {
  const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(seed, fc.integer({ min: 0, max: 2 ** 31 - 1 }), (bytes, index) => {
      const branch = HDKey.fromMasterSeed(bytes).derive("m/44'/60'/0'/0");
      const derived = publicKeysBelow(branch.publicExtendedKey)(BigInt(index));
      expect(derived).toEqual(HDKey.fromExtendedKey(branch.publicExtendedKey).deriveChild(index).publicKey);
      expect(derived).toEqual(branch.deriveChild(index).publicKey);
    }),
    { numRuns: 100 },
  );
});

it("derives the public keys of BIP-32's own examples", () => {
  // Test vector 2 of the standard: the key at m and the one at m/0.
  const parent =
    "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB";
  const child =
    "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH";
  expect(publicKeysBelow(parent)(0n)).toEqual(HDKey.fromExtendedKey(child).publicKey);
});
