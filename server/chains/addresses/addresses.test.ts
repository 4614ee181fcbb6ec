import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressVectors } from "../../../tests/support/addresses/address-vectors.ts";
import { parseAddressOf } from "./index.ts";

const networks = Object.keys(addressVectors);
const validOf = (network: string) => addressVectors[network]?.valid ?? [];
const networksWithChecksum = networks.filter((network) => network !== "SOL" && network !== "ETH");

describe.each(networks)("an address of %s", (network) => {
  it.each(validOf(network))("is $text", ({ text, canonical = text, memo }) => {
    const parsed = parseAddressOf(network, text);
    expect(parsed).toMatchObject({ valid: true, canonical });
    expect(parsed.valid && (parsed.memo ?? undefined)).toBe(memo);
    expect(parseAddressOf(network, canonical)).toMatchObject({ valid: true, canonical });
  });

  it.each(addressVectors[network]?.invalid ?? [])("is not %s", (text) => {
    expect(parseAddressOf(network, text)).toMatchObject({ valid: false });
  });

  it("is none of another network", () => {
    for (const other of networks.filter((one) => one !== network))
      for (const { text } of validOf(other)) expect([text, parseAddressOf(network, text).valid]).toEqual([text, false]);
  });

  it.each(["", " ", "0", "undefined", "💥", "a".repeat(10_000), "1".repeat(34), "bitcoincash:"])(
    "is not %j",
    (text) => {
      expect(parseAddressOf(network, text)).toMatchObject({ valid: false });
    },
  );

  it("has no blanks around it", () => {
    for (const { text } of validOf(network))
      for (const padded of [` ${text}`, `${text} `, `${text}\n`])
        expect(parseAddressOf(network, padded).valid).toBe(false);
  });
});

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_+/:.";

describe.each(networksWithChecksum)("a typo in an address of %s", (network) => {
  const texts = validOf(network).map(({ text }) => text);

  it("is refused, wherever and whatever it is", () => {
    const typo = fc.record({
      text: fc.constantFrom(...texts),
      at: fc.nat(),
      by: fc.constantFrom(...LETTERS.split("")),
    });
    fc.assert(
      fc.property(typo, ({ text, at, by }) => {
        const place = at % text.length;
        const mutated = text.slice(0, place) + by + text.slice(place + 1);
        fc.pre(mutated !== text && !isSameWord(network, mutated, texts));
        expect([mutated, parseAddressOf(network, mutated).valid]).toEqual([mutated, false]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is refused when a letter is missing, doubled or swapped with its neighbour", () => {
    for (const text of texts)
      for (let at = 0; at < text.length; at += 1) {
        const letter = text[at] ?? "";
        const next = text[at + 1] ?? "";
        const without = text.slice(0, at) + text.slice(at + 1);
        const doubled = text.slice(0, at) + letter + text.slice(at);
        const swapped = text.slice(0, at) + next + letter + text.slice(at + 2);
        for (const typo of [without, doubled, swapped])
          if (!texts.includes(typo)) expect([typo, parseAddressOf(network, typo).valid]).toEqual([typo, false]);
      }
  });
});

/** TON's two alphabets write the same bits: a text with another one's sign in a place of its own may be the same address. */
const isSameWord = (network: string, mutated: string, texts: readonly string[]): boolean => {
  const plain = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_");
  return network === "TON" && texts.some((text) => plain(text) === plain(mutated));
};

describe("Solana, which has no checksum,", () => {
  it("still refuses fifteen of sixteen typos, because they are no keys", () => {
    const texts = validOf("SOL").map(({ text }) => text);
    let refused = 0;
    let tried = 0;
    for (const text of texts.slice(0, 2))
      for (let at = 0; at < text.length; at += 1)
        for (const by of "23456789ABCDEFGH") {
          if (text[at] === by) continue;
          tried += 1;
          if (!parseAddressOf("SOL", text.slice(0, at) + by + text.slice(at + 1)).valid) refused += 1;
        }
    expect(refused / tried).toBeGreaterThan(0.9);
  });
});

describe("IoTeX", () => {
  it("has its own code for an address in Ethereum's form", () => {
    for (const text of ["0x04c22afae6a03438b8fed74cb1cf441168df3f12", "0x04C22AFAE6A03438B8FED74CB1CF441168DF3F12"])
      expect(parseAddressOf("IOTX", text)).toEqual({ valid: false, code: "address_reject_iotx" });
    expect(parseAddressOf("IOTX", "0x04c22afae6a03438b8fed74cb1cf441168df3f1")).toEqual({ valid: false, code: null });
  });
});

describe("a network without a parser", () => {
  it.each(["EOS", "", "btc", "constructor", "USD"])("%j is refused", (network) => {
    expect(parseAddressOf(network, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")).toEqual({ valid: false, code: null });
  });
});
