import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildPaymentUri, parsePaymentUri, type PaymentRequest } from "./payment-uri.ts";

const BTC = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const ETHER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const nothing = { networkTitle: null, memo: null, amount: null, minorAmount: null, contractAddress: null };

const request = (networkTitle: string, address: string, rest: Partial<PaymentRequest> = {}): PaymentRequest => ({
  networkTitle,
  address,
  memo: null,
  amount: "1.5",
  contractAddress: null,
  ...rest,
});

describe("a payment URI", () => {
  it.each([
    [request("BTC", BTC), `bitcoin:${BTC}?amount=1.5`],
    [request("LTC", "LVg2"), "litecoin:LVg2?amount=1.5"],
    [request("DOGE", "DH5y"), "dogecoin:DH5y?amount=1.5"],
    [request("BCH", "bitcoincash:qpm2"), "bitcoincash:qpm2?amount=1.5"],
    [request("XMR", "44AF"), "monero:44AF?tx_amount=1.5"],
    [request("SOL", "9xQe"), "solana:9xQe?amount=1.5"],
    [request("SOL", "9xQe", { contractAddress: "EPjF" }), "solana:9xQe?amount=1.5&spl-token=EPjF"],
    [request("XRP", "rHb9", { memo: "77" }), "ripple:rHb9?amount=1.5&dt=77"],
    [request("XLM", "GA7Q", { memo: "77" }), "web+stellar:pay?destination=GA7Q&amount=1.5&memo=77&memo_type=MEMO_ID"],
    [
      request("XLM", "GA7Q", { memo: "a & b" }),
      "web+stellar:pay?destination=GA7Q&amount=1.5&memo=a%20%26%20b&memo_type=MEMO_TEXT",
    ],
    [request("TON", "UQDt", { memo: "77" }), "ton://transfer/UQDt?amount=1500000000&text=77"],
    [request("TON", "UQDt", { contractAddress: "EQCx" }), "ton://transfer/UQDt?jetton=EQCx"],
    [request("TRX", "TR7N"), "tron:TR7N?amount=1.5"],
    [request("TRX", "TJRa", { contractAddress: "TR7N" }), "tron:TJRa"],
    [request("ADA", "addr1q"), "web+cardano:addr1q?amount=1.5"],
    [request("EOS", "plain"), "plain"],
  ])("of %j is %s", (asked, uri) => expect(buildPaymentUri(asked)).toBe(uri));

  it("asks for no token's amount as if it were the network's own coin", () => {
    expect(buildPaymentUri(request("BTC", BTC, { contractAddress: "token" }))).toBe(`bitcoin:${BTC}`);
  });

  it("is read as it was written, whatever the memo says", () => {
    const networks = fc.constantFrom("SOL", "XRP", "XLM", "TON");
    const memo = fc.option(fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }));
    const amount = fc.bigInt({ min: 1n, max: 10n ** 15n }).map((value) => `${value}.25`);
    fc.assert(
      fc.property(networks, memo, amount, (networkTitle, memo, amount) => {
        fc.pre(memo === null || memo.isWellFormed());
        const uri = buildPaymentUri(request(networkTitle, "ADDRESS1", { memo, amount }));
        expect(parsePaymentUri(uri)).toEqual({ ...nothing, networkTitle, address: "ADDRESS1", memo, amount });
      }),
    );
  });
});

describe("what a person pastes", () => {
  it.each([
    [BTC, { address: BTC }],
    [`  ${BTC}\n`, { address: BTC }],
    [`bitcoin:${BTC}`, { networkTitle: "BTC", address: BTC }],
    [`BITCOIN:${BTC.toUpperCase()}`, { networkTitle: "BTC", address: BTC.toUpperCase() }],
    [`bitcoin://${BTC}?amount=0.10&label=a%20b`, { networkTitle: "BTC", address: BTC, amount: "0.1" }],
    ["bitcoincash:qpm2?amount=1.0", { networkTitle: "BCH", address: "qpm2", amount: "1" }],
    ["xrpl:rHb9?dt=5", { networkTitle: "XRP", address: "rHb9", memo: "5" }],
    [
      "ton://transfer/EQDt-_?amount=5&text=hi%20you",
      { networkTitle: "TON", address: "EQDt-_", amount: "0.000000005", memo: "hi you" },
    ],
    [
      "ton://transfer/EQDt?amount=5&jetton=EQCx",
      { networkTitle: "TON", address: "EQDt", minorAmount: 5n, contractAddress: "EQCx" },
    ],
    [
      "web+stellar:pay?destination=GA7Q&asset_code=USDC&asset_issuer=GA5Z&amount=2",
      { networkTitle: "XLM", address: "GA7Q", amount: "2", contractAddress: "USDC:GA5Z" },
    ],
    [`ethereum:${ETHER}`, { networkTitle: "ETH", address: ETHER }],
    [`ethereum:pay-${ETHER}@1?value=2.014e18`, { networkTitle: "ETH", address: ETHER, amount: "2.014" }],
    [`ethereum:${ETHER}@31337?value=1`, { address: ETHER, amount: "0.000000000000000001" }],
    [
      `ethereum:${USDT}@1/transfer?address=${ETHER}&uint256=1500000`,
      { networkTitle: "ETH", address: ETHER, contractAddress: USDT, minorAmount: 1_500_000n },
    ],
  ])("%s", (text, read) => expect(parsePaymentUri(text)).toEqual({ ...nothing, ...read }));

  it.each([
    "",
    "   ",
    "two words",
    "https://example.com/",
    "javascript:alert(1)",
    "bitcoin:",
    "bitcoin:?lightning=lnbc1",
    `bitcoin:${BTC}?amount=1e3`,
    `bitcoin:${BTC}?amount=-1`,
    `bitcoin:${BTC}?amount=1,5`,
    `bitcoin:${BTC}?amount=1&amount=2`,
    `bitcoin:${BTC}?req-something=1`,
    `bitcoin:${BTC}?label=%zz`,
    "solana:https%3A%2F%2Fexample.com%2Fpay",
    "web+stellar:tx?xdr=AAAA",
    "ton://transfer/EQDt?amount=1.5",
    `ethereum:${ETHER}?value=1.5`,
    `ethereum:${ETHER}?value=0x10`,
    `ethereum:${USDT}/approve?address=${ETHER}&uint256=1`,
    `ethereum:${USDT}/transfer?uint256=1`,
    "ethereum:vitalik.eth?value=1",
    "x".repeat(3_000),
  ])("is no payment: %j", (text) => expect(parsePaymentUri(text)).toBeNull());

  it("never throws", () => {
    const start = fc.constantFrom("bitcoin:", "ethereum:", "ton://transfer/", "web+stellar:pay?", "ripple:", "");
    fc.assert(
      fc.property(start, fc.string(), (scheme, rest) => {
        expect(() => parsePaymentUri(scheme + rest)).not.toThrow();
      }),
    );
  });
});
