import fc from "fast-check";
import { getAddress, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { evmPaymentUri, parseEvmAddress } from "./evm.ts";

// The examples of EIP-55 itself.
const ALL_CAPS = ["0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"];
const ALL_LOWER = ["0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26"];
const MIXED = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

const INVALID = { valid: false, code: null };
const UNPAYABLE = { valid: false, code: "error_address_unpayable" };
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((bytes) => bytes.slice(0, 18).some((byte) => byte !== 0))
  .map((bytes) => getAddress(toHex(bytes)));
const isMixed = (text: string) => /[a-f]/.test(text) && /[A-F]/.test(text.slice(2));

describe("an EVM address", () => {
  it.each([...ALL_CAPS, ...ALL_LOWER, ...MIXED])("takes %s as EIP-55 writes it", (text) => {
    expect(parseEvmAddress(text)).toEqual({ valid: true, canonical: text });
  });

  it.each(MIXED)("adds the checksum to %s", (text) => {
    expect(parseEvmAddress(text.toLowerCase())).toEqual({ valid: true, canonical: text });
    expect(parseEvmAddress(`0x${text.slice(2).toUpperCase()}`)).toEqual({ valid: true, canonical: text });
  });

  it.each([
    "",
    "0x",
    "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg",
    " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n",
    "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
    "vitalik.eth",
  ])("refuses %j", (text) => {
    expect(parseEvmAddress(text)).toEqual(INVALID);
  });

  it("refuses where value would be lost", () => {
    for (const tail of ["0", "1", "9", "100", "dead"])
      expect(parseEvmAddress(`0x${tail.padStart(40, "0")}`)).toEqual(UNPAYABLE);
  });

  it("refuses listed addresses in any notation", () => {
    const refused = new Set([MIXED[0] ?? ""]);
    expect(parseEvmAddress(MIXED[0] ?? "", refused)).toEqual(UNPAYABLE);
    expect(parseEvmAddress((MIXED[0] ?? "").toLowerCase(), refused)).toEqual(UNPAYABLE);
    expect(parseEvmAddress(MIXED[1] ?? "", refused)).toMatchObject({ valid: true });
  });

  it("is its own canonical form", () => {
    fc.assert(
      fc.property(address, (text) => {
        expect(parseEvmAddress(text)).toEqual({ valid: true, canonical: text });
      }),
    );
  });

  it("is refused when one character of its checksummed form is mistyped", () => {
    const mutation = fc.record({
      text: address.filter((text) => isMixed(text) && text.replace(/[^a-fA-F]/g, "").length >= 16),
      at: fc.integer({ min: 0, max: 41 }),
      by: fc.constantFrom(..."0123456789abcdefABCDEFxXgO l".split("")),
    });
    // Each letter is one bit of checksum: of typos in addresses with 16 letters or more, one in 65,536 at most goes unseen.
    let refused = 0;
    let tried = 0;
    fc.assert(
      fc.property(mutation, ({ text, at, by }) => {
        const mutated = text.slice(0, at) + by + text.slice(at + 1);
        fc.pre(mutated !== text && isMixed(mutated));
        tried += 1;
        if (!parseEvmAddress(mutated).valid) refused += 1;
      }),
      { numRuns: 3000 },
    );
    expect(tried).toBe(3000);
    expect(tried - refused).toBeLessThanOrEqual(2);
  });

  it("is refused when the case of one letter is changed", () => {
    fc.assert(
      fc.property(address.filter(isMixed), fc.nat(39), (text, from) => {
        const at = text.split("").findIndex((character, index) => index >= 2 + from && /[a-fA-F]/.test(character));
        fc.pre(at !== -1);
        const letter = text[at] ?? "";
        const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const mutated = text.slice(0, at) + flipped + text.slice(at + 1);
        fc.pre(isMixed(mutated));
        expect(parseEvmAddress(mutated)).toEqual(INVALID);
      }),
    );
  });
});

describe("a payment URI", () => {
  const toAddress = MIXED[0] ?? "";

  it("requests the network's own coin in wei", () => {
    const uri = evmPaymentUri({ chainId: 31337, toAddress, contractAddress: null, amount: 500_000_000_000_000_000n });
    expect(uri).toBe("ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@31337?value=500000000000000000");
  });

  it("requests a token transfer", () => {
    const uri = evmPaymentUri({ chainId: 1, toAddress, contractAddress: MIXED[1] ?? "", amount: 1_500_000n });
    expect(uri).toBe(
      "ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@1/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=1500000",
    );
  });
});
