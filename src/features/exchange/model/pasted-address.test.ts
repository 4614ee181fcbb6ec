import { describe, expect, it } from "vitest";
import { type FieldInstrument, readPastedAddress } from "./pasted-address.ts";

const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TOKEN = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const OTHER_TOKEN = "0x6B175474E89094C44Da98b954EedeAC495271d0F";

const coin = (networkTitle: string, precisionDecimals: number, contractAddress: string | null = null) =>
  ({ networkTitle, precisionDecimals, contractAddress }) satisfies FieldInstrument;
const ETH = coin("ETH", 18);
const USDT = coin("ETH", 6, TOKEN);
const BTC = coin("BTC", 8);
const TON = coin("TON", 9);

describe("a pasted address", () => {
  it.each<[string, FieldInstrument, string, string | null, string | null]>([
    ["  0xabc \n", ETH, "0xabc", null, null],
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
    expect(readPastedAddress(pasted, instrument)).toEqual({ address, memo, amount });
  });

  it.each<[string, string, FieldInstrument]>([
    ["the network's coin into a token's field", `ethereum:${ADDRESS}?value=1e18`, USDT],
    ["another token", `ethereum:${OTHER_TOKEN}/transfer?address=${ADDRESS}&uint256=5`, USDT],
    ["a token into the coin's field", `ethereum:${TOKEN}/transfer?address=${ADDRESS}&uint256=5`, ETH],
    ["a coin without its token", "solana:abc?amount=5", coin("SOL", 6, "Mint")],
    ["another network", "bitcoin:bc1qxyz?amount=5", ETH],
    ["nothing", "bitcoin:bc1qxyz?amount=0.000", BTC],
    ["more decimals than the coin has", "bitcoin:bc1qxyz?amount=0.123456789", BTC],
    ["no number", "bitcoin:bc1qxyz?amount=-1", BTC],
    ["endless digits", `bitcoin:bc1qxyz?amount=${"9".repeat(60)}`, BTC],
  ])("has no amount for %s", (_name, pasted, instrument) => {
    expect(readPastedAddress(pasted, instrument).amount).toBeNull();
  });
});
