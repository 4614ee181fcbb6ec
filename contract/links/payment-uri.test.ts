import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPaymentLink } from "./payment-link.ts";
import { buildPaymentUri, type PaymentRequest } from "./payment-uri.ts";

const BTC = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

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
        expect(readPaymentLink(uri)).toMatchObject({ networkTitle, address: "ADDRESS1", memo, amount, ignored: [] });
      }),
    );
  });
});
