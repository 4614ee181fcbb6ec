import { ed25519 } from "@noble/curves/ed25519.js";
import { base58, bech32, bech32m, base32nopad } from "@scure/base";
import { describe, expect, it } from "vitest";
import { LITECOIN } from "./bitcoin.ts";
import { encodeCashAddr } from "./bch.ts";
import { parseAddressOf } from "./index.ts";
import { base58check, crc16 } from "./parser.ts";
import { encodeFriendly } from "./ton.ts";
import { encodeAccount } from "./xlm.ts";
import { encodeSubaddress } from "./xmr.ts";

/** The points whose order divides eight, as RFC 8032 writes them. */
const SMALL_ORDER = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
].map((text) => Uint8Array.from(Buffer.from(text, "hex")));

/** Well-formed addresses whose coins nobody owns, or everybody, by network. */
const LOST: Record<string, string[]> = {
  BTC: [
    "1111111111111111111114oLvT2",
    "1QLbz7JHiBTspS962RLKV8GndWFwi5j6Qr",
    "1BitcoinEaterAddressDontSendf59kuE",
    "1CounterpartyXXXXXXXXXXXXXXXUWLpVr",
    // the hash of no key, and of an empty script
    "1HT7xU2Ngenf7D4yocz2SAcnNLW7rK8d4E",
    "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
    "bc1qk3e2yekshkyuzdcx5sfjena3da7rh87t4thq9p",
    "bc1quwcvgs5clswpfxhm7nyfjmaeysn6us0yvjdexn9yjkv3k7zjhp2sfl5g83",
    // a script that is true for anybody
    "3MaB7QVq3k4pQx3BhsvEADgzQonLSBwMdj",
    "bc1qft5p2uhsdcdc3l2ua4ap5qqfg4pjaqlp250x7us7a8qqhrxrxfsq2gp3gp",
    "31h1vYVSYuKP6AhS86fbRdMw9XHieotbST",
    "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs",
    "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqthqst8",
    // the point of BIP-341 whose key nobody knows
    "bc1p2zffkaxp5py4fdutfdsrt6t6tcrc5ks09rkfd428hlhf4n5q8tqqwv7ahk",
    "bc1zqurswpc8qurswpc8qurswpc8qurswpc8qurswpc8qurswpc8qursc3hgeh",
  ],
  LTC: [
    "LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE",
    "M7uAERuQW2AotfyLDyewFGcLUDtAYu9v5V",
    "Lbg5DgLCmK2iN1m8ykyKiBgYaYsQ3S2BCr",
    "ltc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqp9ysmq",
    "ltc1p2zffkaxp5py4fdutfdsrt6t6tcrc5ks09rkfd428hlhf4n5q8tqqdgsddn",
    "ltc1zqurswpc8qurswpc8qurswpc8qurswpc8qurswpc8qurswpc8qursm4ecrj",
  ],
  DOGE: ["DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr", base58check.encode(Uint8Array.of(0x1e, ...new Uint8Array(20)))],
  BCH: [
    encodeCashAddr("bitcoincash", new Uint8Array(21)),
    encodeCashAddr("bitcoincash", Uint8Array.of(8, ...new Uint8Array(20))),
  ],
  XRP: [
    "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
    "X7TYFRtYHMcHtT2qNycMwgXzFbcRvEmBqTt1wvZcFSfXk11",
    "rrrrrrrrrrrrrrrrrrrrBZbvji",
    "rrrrrrrrrrrrrrrrrNAMEtxvNvQ",
    "rrrrrrrrrrrrrrrrrrrn5RM1rHd",
    // the ledger's first account, whose seed phrase is public
    "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
    "XVPcpSm47b1CZkf5AkKM9a84dQHe3m4sBhsrA4XtnBECTAc",
  ],
  XLM: [
    "GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF",
    "GALAXYVOIDAOPZTDLHILAJQKCVVFMD4IKLXLSZV5YHO7VY74IWZILUTO",
    encodeAccount(Uint8Array.of(1, ...new Uint8Array(31))),
    muxed(new Uint8Array(32)),
  ],
  TON: [
    "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c",
    "EQD__________________________________________0vo",
    "Ef8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAU",
    // the elector and the configuration, contracts of the protocol
    "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF",
    encodeFriendly(0xff, new Uint8Array(32).fill(0x55)),
    encodeFriendly(0, Uint8Array.of(...new Uint8Array(31), 1)),
  ],
  SOL: [
    "So11111111111111111111111111111111111111112",
    "Vote111111111111111111111111111111111111111",
    "Stake11111111111111111111111111111111111111",
    "Feature111111111111111111111111111111111111",
    "SysvarC1ock11111111111111111111111111111111",
    "SysvarRecentB1ockHashes11111111111111111111",
    "1nc1nerator11111111111111111111111111111111",
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
    "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
    "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
    "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin",
    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v",
    "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
  ],
  ADA: [
    // pointers with no end, with too much, and beyond what a chain can have
    "addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5qszqqg7fy3r",
    "addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5psxqcqartufe",
    "addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pqqqqqqqw0ux65",
    "addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerhlllllllllllll7lcqqq3356f7",
    // credentials of zeros, and of a script
    "addr1vyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkdl5mw",
    "addr1qyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqy5jvc4ekfwkhvvgvzwv7m7z6hrd4sax3gzd9r90qg69j8qhmvxxa",
    "addr1wx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzersnjtrg8",
    "addr1zx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer55jvc4ekfwkhvvgvzwv7m7z6hrd4sax3gzd9r90qg69j8q64xey6",
  ],
  TRX: [
    "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb",
    // where the chain's fees are burnt
    "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy",
    base58check.encode(Uint8Array.of(0x41, ...new Uint8Array(18), 1, 0)),
    base58check.encode(Uint8Array.of(0x41, ...new Uint8Array(20).fill(0xff))),
  ],
  IOTX: [
    "io1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqd39ym7",
    // accounts of the protocol
    "io1qnpz47hx5q6r3w876axtrn6yz95d70cjl35r53",
    "io154mvzs09vkgn0hw6gg3ayzw5w39jzp47f8py9v",
    "io1qqqqqqqqqqq8xarpdd5kue6rwfjkzar9k0wk6t",
    "io1qpehgcttd9hxw5n9va5hxar9wfpkzmnyahxhjk",
  ],
  ETH: [
    "0x0000000000000000000000000000000000000000",
    "0x00000000000000000000000000000000000001fF",
    "0x000000000000000000000000000000000000dEaD",
    "0xdead000000000000000042069420694206942069",
    "0xdead000000000000000000000000000000000000",
    `0x${"f".repeat(40)}`,
    `0x${"e".repeat(40)}`,
    `0x${"1".repeat(40)}`,
    // contracts of the protocol
    "0x00000000219ab540356cbb839cbe05303d7705fa",
    "0x000f3df6d732807ef1319fb7b8bb8522d0beac02",
  ],
  XMR: [
    encodeSubaddress(Uint8Array.of(1, ...new Uint8Array(31)), key(1)),
    encodeSubaddress(key(1), new Uint8Array(32)),
    encodeSubaddress(key(1), mixedOrder()),
    encodeSubaddress(mixedOrder(), key(1)),
  ],
};

describe.each(Object.entries(LOST))("coins on %s are not sent where they would be lost:", (network, addresses) => {
  it.each(addresses)("%s", (address) => {
    expect(parseAddressOf(network, address)).toMatchObject({ valid: false });
  });
});

/** By network the one of them that is taken as the example; Monero's are keys that don't fit, not addresses that are known. */
const EXAMPLES = Object.entries(LOST).flatMap(([network, addresses]) => {
  const example = addresses.find((one) => network !== "ADA" || one.startsWith("addr1vy"));
  return network === "XMR" || example === undefined ? [] : [[network, example] as const];
});

it.each(EXAMPLES)(
  "an address on %s whose coins would be lost is distinguished from a mistyped one",
  (network, address) => {
    expect(parseAddressOf(network, address)).toEqual({ valid: false, code: "error_address_unpayable" });
    expect(parseAddressOf(network, address.slice(0, -1))).toEqual({ valid: false, code: null });
  },
);

describe.each([
  ["BTC", "bc", "main"],
  ["BTC", "bcrt", "regtest"],
  ["LTC", LITECOIN.bech32, "main"],
  ["LTC", "rltc", "regtest"],
] as const)("a taproot address of %s (%s)", (network, prefix, chain) => {
  it("is refused where its key is no point of the curve, which half of all 32 bytes are not", () => {
    let taken = 0;
    for (let n = 0; n < 256; n += 1) {
      const program = Uint8Array.from({ length: 32 }, (_, at) => (n * 31 + at * 7 + 1) % 256);
      const address = bech32m.encode(prefix, [1, ...bech32m.toWords(program)]);
      const isPoint = liesOnSecp256k1(program);
      expect([address, parseAddressOf(network, address, chain).valid]).toEqual([address, isPoint]);
      if (isPoint) taken += 1;
    }
    expect(taken).toBeGreaterThan(90);
    expect(taken).toBeLessThan(166);
  });

  it("is refused in every later version of witness programs, whatever its length", () => {
    for (let version = 1; version <= 16; version += 1)
      for (const length of [2, 20, 31, 32, 33, 40]) {
        if (version === 1 && length === 32) continue;
        const address = bech32m.encode(prefix, [version, ...bech32m.toWords(filled(length))]);
        expect([address, parseAddressOf(network, address, chain).valid]).toEqual([address, false]);
      }
  });
});

describe("an address that is a key of Ed25519", () => {
  it("is refused on Solana, Stellar and Monero off the curve and outside the group that keys are in", () => {
    const outside = [mixedOrder(), ...SMALL_ORDER];
    for (const point of outside) {
      expect(parseAddressOf("SOL", base58.encode(point)).valid).toBe(false);
      expect(parseAddressOf("XLM", encodeAccount(point)).valid).toBe(false);
      expect(parseAddressOf("XMR", encodeSubaddress(point, key(2))).valid).toBe(false);
    }
    for (let n = 1; n < 40; n += 1) {
      expect(parseAddressOf("SOL", base58.encode(key(n))).valid).toBe(true);
      expect(parseAddressOf("XLM", encodeAccount(key(n))).valid).toBe(true);
      expect(parseAddressOf("XMR", encodeSubaddress(key(n), key(n + 1))).valid).toBe(true);
    }
  });

  it("is refused on Solana where a program derived it", () => {
    // Raydium's authority: derived addresses lie off the curve, so that no key can exist.
    expect(parseAddressOf("SOL", "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1").valid).toBe(false);
  });
});

it("Cardano's pointers may be as long as the chain can be", () => {
  const withPointer = (...pointer: number[]) =>
    bech32.encodeFromBytes("addr", Uint8Array.of(0x41, ...filled(28), ...pointer));
  for (const good of [
    [1, 0, 0],
    [0x81, 0x00, 1, 1],
    [0x8f, 0xff, 0xff, 0xff, 0x7f, 0x83, 0xff, 0x7f, 0x83, 0xff, 0x7f],
  ])
    expect(parseAddressOf("ADA", withPointer(...good)).valid).toBe(true);
  for (const bad of [
    // a number that begins with nothing, a slot over 32 bits, an index over 16
    [0x80, 0x01, 0, 0],
    [0x90, 0x80, 0x80, 0x80, 0x00, 0, 0],
    [1, 0x84, 0x80, 0x00, 0],
    [1, 0, 0x84, 0x80, 0x00],
    [1, 1],
    [1, 1, 0x81],
  ])
    expect([bad, parseAddressOf("ADA", withPointer(...bad)).valid]).toEqual([bad, false]);
});

it("Bitcoin Cash's token-aware form of an address is the same place", () => {
  const hash = filled(20);
  const plain = parseAddressOf("BCH", encodeCashAddr("bitcoincash", Uint8Array.of(0x00, ...hash)));
  expect(plain.valid).toBe(true);
  expect(parseAddressOf("BCH", encodeCashAddr("bitcoincash", Uint8Array.of(0x10, ...hash)))).toEqual(plain);
  const script = parseAddressOf("BCH", encodeCashAddr("bitcoincash", Uint8Array.of(0x0b, ...filled(32))));
  expect(script.valid).toBe(true);
  expect(parseAddressOf("BCH", encodeCashAddr("bitcoincash", Uint8Array.of(0x1b, ...filled(32))))).toEqual(script);
});

function key(n: number): Uint8Array {
  return ed25519.getPublicKey(new Uint8Array(32).fill(n));
}

/** A key with a point of order eight added: it lies on the curve, and no private key has it. */
function mixedOrder(): Uint8Array {
  const torsion = ed25519.Point.fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05");
  return ed25519.Point.fromBytes(key(3)).add(torsion).toBytes();
}

/** Euler's criterion for x³ + 7, apart from any library. */
function liesOnSecp256k1(bytes: Uint8Array): boolean {
  const p = 2n ** 256n - 2n ** 32n - 977n;
  const x = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let result = 1n;
  let factor = (x ** 3n + 7n) % p;
  for (let left = (p - 1n) / 2n; left > 0n; left >>= 1n, factor = (factor * factor) % p)
    if (left & 1n) result = (result * factor) % p;
  return x < p && result === 1n;
}

function filled(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 37 + 11) % 256);
}

function muxed(publicKey: Uint8Array): string {
  const body = Uint8Array.of(12 << 3, ...publicKey, ...new Uint8Array(8));
  const crc = crc16(body);
  return base32nopad.encode(Uint8Array.of(...body, crc & 0xff, crc >> 8));
}
