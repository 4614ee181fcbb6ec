import { ed25519 } from "@noble/curves/ed25519.js";
import { base32nopad, base58, base64urlnopad, bech32 } from "@scure/base";
import { afterEach, describe, expect, it, vi } from "vitest";
import { references } from "../../../tests/support/addresses/address-references.ts";
import { mutationsOf, writeTexts } from "../../../tests/support/addresses/address-texts.ts";
import { addressVectors } from "../../../tests/support/addresses/address-vectors.ts";
import { parseAddressOf } from "./index.ts";

const WRITTEN = 400;

const published = Object.values(addressVectors).flatMap(({ valid, invalid }) => [
  ...valid.flatMap(({ text, canonical = text }) => [text, canonical]),
  ...invalid,
]);

/** Not in the group that private keys lead to: on the curve or off it. */
function isNoKey(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(bytes).isTorsionFree();
  } catch {
    return true;
  }
}

/** Witness versions to come, and version 1 in another length than taproot's: nobody can spend them yet, or anybody. */
const isFutureWitness = (text: string): boolean => /^(bc|ltc)1([^qp]|p.{2,57}$|p.{59,}$)/i.test(text);
const EMPTY_SCRIPT = "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy";
const isMixedCase = (text: string): boolean => text !== text.toLowerCase() && text !== text.toUpperCase();

/** Why we refuse what a library takes, by network. A refusal that none of these explains is a defect of ours. */
const STRICTER: Readonly<Record<string, (text: string) => boolean>> = {
  BTC: (text) => isFutureWitness(text) || text === EMPTY_SCRIPT,
  LTC: isFutureWitness,
  // CashAddr wants one case; the library lowers it.
  BCH: isMixedCase,
  // Accounts without an owner, and X-addresses with a tag that their flag denies.
  XRP: (text) => /^r{10}/.test(text) || text.startsWith("X"),
  // 32 bytes that are no key: nobody can sign for them.
  XLM: (text) => isNoKey(base32nopad.decode(text).subarray(1, 33)),
  SOL: (text) => isNoKey(base58.decode(text)) || /1{10}/.test(text),
  // Workchains that don't exist, flags that no document knows, both alphabets at once, and the zero account.
  TON: (text) => {
    if (/[+/]/.test(text) && /[-_]/.test(text)) return true;
    const [tag = 0, workchain = 0, ...account] = base64urlnopad.decode(text.replaceAll("+", "-").replaceAll("/", "_"));
    return (
      ![0x11, 0x51].includes(tag) || ![0, 0xff].includes(workchain) || account.slice(0, 8).every((one) => one === 0)
    );
  },
  // A payment to a script, which needs a datum; stake accounts behind the prefix of payment addresses; wide pointers.
  ADA: (text) => {
    const [header = 0, ...rest] = bech32.decodeToBytes(text, 120).bytes;
    return (header >> 4) % 2 === 1 || header >> 4 > 7 || (header >> 4 === 4 && rest.length > 28 + 5);
  },
  // The prefix may be missing there.
  ETH: (text) => !text.startsWith("0x") || /^0x0{16}/.test(text),
};

afterEach(() => void vi.restoreAllMocks());

describe.each(Object.keys(references))("an address of %s", (network) => {
  const isTaken = references[network] ?? (() => false);
  const written = writeTexts(network, WRITTEN);
  const mutated = [...written, ...published].flatMap((text, at) => mutationsOf(text, `${network} ${at}`));
  const texts = [...new Set([...published, ...written, ...mutated])];
  const isOurs = (text: string) => parseAddressOf(network, text).valid;

  it("is taken here only where the library of the network's wallets takes it, as is its canonical form", () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const ours = texts.filter(isOurs);
    const canonical = ours.flatMap((text) => {
      const parsed = parseAddressOf(network, text);
      return parsed.valid ? [parsed.canonical] : [];
    });
    expect([...ours, ...canonical].filter((text) => !isTaken(text))).toEqual([]);
    expect(texts.filter((text) => isTaken(text) && !isOurs(text) && STRICTER[network]?.(text) !== true)).toEqual([]);
  });

  it("is compared over many valid texts, and many that only seem valid", () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const right = written.filter(isTaken).length;
    expect(Math.min(right, WRITTEN - right, written.filter(isOurs).length)).toBeGreaterThan(40);
  });
});
