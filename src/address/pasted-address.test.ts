import { describe, expect, it } from "vitest";
import { type FieldInstrument, type LinkNote, readPastedAddress } from "./pasted-address.ts";

const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TOKEN = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const OTHER_TOKEN = "0x6B175474E89094C44Da98b954EedeAC495271d0F";

const NOW = new Date("2026-01-01T00:00:00Z");

const coin = (networkTitle: string, precisionDecimals: number, contractAddress: string | null = null) =>
  ({
    networkTitle,
    precisionDecimals,
    contractAddress,
    requiresMemo: ["TON", "XRP", "XLM"].includes(networkTitle),
  }) satisfies FieldInstrument;
const read = (pasted: string, instrument: FieldInstrument) => readPastedAddress(pasted, instrument, NOW);
const ETH = coin("ETH", 18);
const USDT = coin("ETH", 6, TOKEN);
const BTC = coin("BTC", 8);
const TON = coin("TON", 9);

describe("a pasted address", () => {
  it.each<[string, FieldInstrument, string, string | null, string | null]>([
    ["  0xabc \n", ETH, "0xabc", null, null],
    [
      "rPT1 Sjq2\u00a0YGrB MTtt\nX4GZ HjKu\t9dyf zbpA Ye",
      coin("XRP", 6),
      "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe",
      null,
      null,
    ],
    ["bc1qxyz", BTC, "bc1qxyz", null, null],
    [`ethereum:${ADDRESS}@31337?value=1e18`, ETH, ADDRESS, null, "1"],
    [`ethereum:${ADDRESS}?value=2.014e18`, ETH, ADDRESS, null, "2.014"],
    [`ethereum:${ADDRESS}?value=1`, ETH, ADDRESS, null, "0.000000000000000001"],
    [`ethereum:pay-${ADDRESS}`, ETH, ADDRESS, null, null],
    [`ethereum:${TOKEN.toLowerCase()}@1/transfer?address=${ADDRESS}&uint256=5500000`, USDT, ADDRESS, null, "5.5"],
    ["bitcoin:bc1qxyz?amount=0.10", BTC, "bc1qxyz", null, "0.1"],
    ["BITCOIN:BC1QXYZ?amount=20", BTC, "BC1QXYZ", null, "20"],
    ["monero:44abc?tx_amount=1.5", coin("XMR", 12), "44abc", null, "1.5"],
    ["ton://transfer/UQabc?amount=500000000&text=482910377", TON, "UQabc", "482910377", "0.5"],
    ["ripple:rHUX?dt=2049183714", coin("XRP", 6), "rHUX", "2049183714", null],
    ["web+stellar:pay?destination=GABC&amount=7&memo=m1", coin("XLM", 7), "GABC", "m1", "7"],
    ["https://example.com/", BTC, "https://example.com/", null, null],
  ])("%j", (pasted, instrument, address, memo, amount) => {
    expect(read(pasted, instrument)).toEqual({ taken: { address, memo, amount }, notes: [] });
  });

  it.each<[string, string, FieldInstrument, "other_coin" | "amount_left_out"]>([
    ["the network's coin into a token's field", `ethereum:${ADDRESS}?value=1e18`, USDT, "other_coin"],
    ["another token", `ethereum:${OTHER_TOKEN}/transfer?address=${ADDRESS}&uint256=5`, USDT, "other_coin"],
    ["a token into the coin's field", `ethereum:${TOKEN}/transfer?address=${ADDRESS}&uint256=5`, ETH, "other_coin"],
    ["a token without an amount", `ethereum:${TOKEN}/transfer?address=${ADDRESS}`, ETH, "other_coin"],
    ["a coin without its token", "solana:abc?amount=5", coin("SOL", 6, "Mint"), "other_coin"],
    ["nothing", "bitcoin:bc1qxyz?amount=0.000", BTC, "amount_left_out"],
    ["more decimals than the coin has", "bitcoin:bc1qxyz?amount=0.123456789", BTC, "amount_left_out"],
    ["endless digits", `bitcoin:bc1qxyz?amount=${"9".repeat(60)}`, BTC, "amount_left_out"],
  ])("is taken without an amount for %s, which is told", (_name, pasted, instrument, kind) => {
    const { taken, notes } = read(pasted, instrument);
    expect(taken).toMatchObject({ amount: null });
    expect(notes).toEqual([{ kind }]);
  });

  it.each<[string, FieldInstrument, readonly string[]]>([
    ["bitcoin:bc1qxyz?label=me&lightning=lnbc1", BTC, ["label", "lightning"]],
    ["solana:abc?memo=17&reference=x", coin("SOL", 9), ["memo", "reference"]],
  ])("tells what it leaves out of %j", (pasted, instrument, names) => {
    expect(read(pasted, instrument)).toMatchObject({ taken: { memo: null }, notes: [{ kind: "ignored", names }] });
  });

  it.each<[string, FieldInstrument, LinkNote]>([
    ["litecoin:LVg2?amount=1", BTC, { kind: "other_network", network: "LTC" }],
    ["bitcoincash:qpm2", BTC, { kind: "other_network", network: "BCH" }],
    ["bitcoin:bc1qxyz?amount=5", ETH, { kind: "other_network", network: "BTC" }],
    [`ethereum:${ADDRESS}@137?value=1e18`, ETH, { kind: "other_network", network: "eip155:137" }],
    ["ton://transfer/UQabc?exp=1767225600", TON, { kind: "expired" }],
    ["bitcoin:bc1qxyz?REQ-thing=1", BTC, { kind: "demand" }],
    ["monero:44abc?tx_payment_id=0123456789abcdef", coin("XMR", 12), { kind: "demand" }],
    [`ethereum:${TOKEN}/approve?address=${ADDRESS}&uint256=1`, ETH, { kind: "unreadable" }],
    ["bitcoin:bc1qxyz?amount=-1", BTC, { kind: "unreadable" }],
  ])("of %j is refused, and says why", (pasted, instrument, note) => {
    expect(read(pasted, instrument)).toEqual({ taken: null, notes: [note] });
  });

  it("takes a link that has a second left", () => {
    expect(read("ton://transfer/UQabc?exp=1767225601", TON).taken?.address).toBe("UQabc");
  });
});
