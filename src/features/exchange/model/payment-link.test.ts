import { describe, expect, it } from "vitest";
import { type LinkInstrument, readPastedAddress } from "./payment-link.ts";

const ETH: LinkInstrument = { precisionDecimals: 18, contractAddress: null };
const USDT: LinkInstrument = { precisionDecimals: 6, contractAddress: "0xTOKEN" };
const BTC: LinkInstrument = { precisionDecimals: 8, contractAddress: null };
const TON: LinkInstrument = { precisionDecimals: 9, contractAddress: null };

describe("readPastedAddress", () => {
  it.each<[string, LinkInstrument, string, string | null, string | null]>([
    ["  0xabc \n", ETH, "0xabc", null, null],
    ["bc1qxyz", BTC, "bc1qxyz", null, null],
    ["ethereum:0xabc@31337?value=1e18", ETH, "0xabc", null, "1"],
    ["ethereum:0xabc?value=2.014e18", ETH, "0xabc", null, "2.014"],
    ["ethereum:0xabc?value=1", ETH, "0xabc", null, "0.000000000000000001"],
    ["ethereum:pay-0xabc", ETH, "0xabc", null, null],
    ["ethereum:0xtoken@1/transfer?address=0xabc&uint256=5500000", USDT, "0xabc", null, "5.5"],
    ["bitcoin:bc1qxyz?amount=0.10", BTC, "bc1qxyz", null, "0.1"],
    ["BITCOIN:BC1QXYZ?amount=20", BTC, "BC1QXYZ", null, "20"],
    ["monero:44abc?tx_amount=1.5", { precisionDecimals: 12, contractAddress: null }, "44abc", null, "1.5"],
    ["ton://transfer/UQabc?amount=500000000&text=482910377", TON, "UQabc", "482910377", "0.5"],
    ["ton:UQabc?amount=500", TON, "UQabc", null, "500"],
    ["ripple:rHUX?dt=2049183714", { precisionDecimals: 6, contractAddress: null }, "rHUX", "2049183714", null],
    [
      "web+stellar:pay?destination=GABC&amount=7&memo=m1",
      { precisionDecimals: 7, contractAddress: null },
      "GABC",
      "m1",
      "7",
    ],
  ])("%j", (pasted, instrument, address, memo, amount) => {
    expect(readPastedAddress(pasted, instrument)).toEqual({ address, memo, amount });
  });

  it.each<[string, string, LinkInstrument]>([
    ["the network's coin into a token's field", "ethereum:0xabc?value=1e18", USDT],
    ["another token", "ethereum:0xother/transfer?address=0xabc&uint256=5", USDT],
    ["a token into the coin's field", "ethereum:0xtoken/transfer?address=0xabc&uint256=5", ETH],
    ["a coin without its token", "solana:abc?amount=5", { precisionDecimals: 6, contractAddress: "Mint" }],
    ["nothing", "bitcoin:bc1qxyz?amount=0.000", BTC],
    ["finer than the coin", "bitcoin:bc1qxyz?amount=0.123456789", BTC],
    ["less than its smallest unit", "ethereum:0xabc?value=1.5", ETH],
    ["no number", "bitcoin:bc1qxyz?amount=-1", BTC],
    ["endless", `bitcoin:bc1qxyz?amount=${"9".repeat(60)}`, BTC],
  ])("has no amount for %s", (_name, pasted, instrument) => {
    expect(readPastedAddress(pasted, instrument).amount).toBeNull();
  });
});
