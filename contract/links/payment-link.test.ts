import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPaymentLink, type PastedPayment } from "./payment-link.ts";

const BTC = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const ETHER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const LUKE = "175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W";
const nothing: Omit<PastedPayment, "address"> = {
  kind: "payment",
  networkTitle: null,
  memo: null,
  amount: null,
  minorAmount: null,
  contractAddress: null,
  expiresAt: null,
  ignored: [],
};

type Read = Partial<PastedPayment> & { address: string };
const reads = (rows: [text: string, read: Read][]) =>
  it.each(rows)("%s", (text, read) => expect(readPaymentLink(text)).toEqual({ ...nothing, ...read }));
const refuses = (reason: "demand" | "unreadable", texts: string[]) =>
  it.each(texts)(`refuses as ${reason}: %j`, (text) =>
    expect(readPaymentLink(text)).toEqual({ kind: "refused", reason }),
  );

describe("a plain address", () => {
  reads([
    [BTC, { address: BTC }],
    [`  ${BTC}\n`, { address: BTC }],
  ]);
  it.each([
    "",
    "   ",
    "two words",
    "https://example.com/",
    "javascript:alert(1)",
    "lightning:lnbc1",
    "x".repeat(3_000),
  ])("is not %j", (text) => expect(readPaymentLink(text)).toBeNull());
});

describe("BIP-21 and BIP-321", () => {
  const btc = { networkTitle: "BTC", address: LUKE };
  reads([
    [`bitcoin:${LUKE}`, btc],
    [`bitcoin:${LUKE}?label=Luke-Jr`, { ...btc, ignored: ["label"] }],
    [`bitcoin:${LUKE}?amount=20.3&label=Luke-Jr`, { ...btc, amount: "20.3", ignored: ["label"] }],
    [
      `bitcoin:${LUKE}?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz`,
      { ...btc, amount: "50", ignored: ["label", "message"] },
    ],
    [
      `bitcoin:${LUKE}?somethingyoudontunderstand=50&somethingelseyoudontget=999`,
      { ...btc, ignored: ["somethingyoudontunderstand", "somethingelseyoudontget"] },
    ],
    [`BITCOIN:${BTC.toUpperCase()}?AMOUNT=0.5`, { networkTitle: "BTC", address: BTC.toUpperCase(), amount: "0.5" }],
    [`bitcoin:${BTC}?lightning=LNBC1`, { networkTitle: "BTC", address: BTC, ignored: ["lightning"] }],
    [`bitcoin:?bc=${BTC}&amount=1`, { networkTitle: "BTC", address: BTC, amount: "1" }],
    [`bitcoin:${LUKE}?bc=${BTC}`, { ...btc, ignored: ["bc"] }],
    [`bitcoin://${LUKE}?amount=0.10`, { ...btc, amount: "0.1" }],
    [`bitcoin:${LUKE}?amount=.5`, { ...btc, amount: "0.5" }],
    [`bitcoin:${LUKE}?amount=5.`, { ...btc, amount: "5" }],
    [`bitcoin:${LUKE}?amount=007.0`, { ...btc, amount: "7" }],
    [`bitcoin:${LUKE}?amount=50.00`, { ...btc, amount: "50" }],
    ["bitcoincash:qpm2?amount=1.0", { networkTitle: "BCH", address: "qpm2", amount: "1" }],
    ["litecoin:LVg2?amount=100", { networkTitle: "LTC", address: "LVg2", amount: "100" }],
    ["doge:DH5y", { networkTitle: "DOGE", address: "DH5y" }],
  ]);
  refuses("demand", [
    `bitcoin:${LUKE}?req-somethingyoudontunderstand=50&req-somethingelseyoudontget=999`,
    `bitcoin:${LUKE}?REQ-pop=1`,
    `bitcoin:${LUKE}?amount=1&Req-x`,
  ]);
  refuses("unreadable", [
    "bitcoin:",
    "bitcoin:?lightning=lnbc420bogusinvoice",
    `bitcoin:${LUKE}?amount=50,000.00`,
    `bitcoin:${LUKE}?amount=1e3`,
    `bitcoin:${LUKE}?amount=-1`,
    `bitcoin:${LUKE}?amount=.`,
    `bitcoin:${LUKE}?amount=`,
    `bitcoin:${LUKE}?amount=1.2.3`,
    `bitcoin:${LUKE}?amount=1&amount=2`,
    `bitcoin:${LUKE}?amount=1&AMOUNT=1`,
    `bitcoin:${LUKE}?label=%zz`,
    `bitcoin:${LUKE}?label=two words`,
  ]);
});

describe("EIP-681", () => {
  const unicorn = "0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7";
  const recipient = "0x8e23ee67d1332ad560396262c48ffbb01f93d052";
  reads([
    [
      "ethereum:0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359?value=2.014e18",
      { networkTitle: "ETH", address: "0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359", amount: "2.014" },
    ],
    [
      `ethereum:${unicorn}/transfer?address=${recipient}&uint256=1`,
      { networkTitle: "ETH", address: recipient, contractAddress: unicorn, minorAmount: 1n },
    ],
    [`ethereum:${ETHER}`, { networkTitle: "ETH", address: ETHER }],
    [`ethereum:pay-${ETHER}@1?value=+1e18`, { networkTitle: "ETH", address: ETHER, amount: "1" }],
    [`ethereum:${ETHER}@137?value=1e18`, { networkTitle: "eip155:137", address: ETHER, amount: "1" }],
    [`ethereum:${ETHER}@31337?value=1`, { address: ETHER, amount: "0.000000000000000001" }],
    [
      `ethereum:${USDT}@1/transfer?address=${ETHER}&uint256=1.5e6`,
      { networkTitle: "ETH", address: ETHER, contractAddress: USDT, minorAmount: 1_500_000n },
    ],
    [`ethereum:${ETHER}?gasLimit=21000`, { networkTitle: "ETH", address: ETHER, ignored: ["gaslimit"] }],
  ]);
  refuses("unreadable", [
    `ethereum:${ETHER}?value=1.5`,
    `ethereum:${ETHER}?value=0x10`,
    `ethereum:${USDT}/approve?address=${ETHER}&uint256=1`,
    `ethereum:${USDT}/deposit?value=1e18`,
    `ethereum:${USDT}/transfer?uint256=1`,
    `ethereum:pay-${ETHER}/`,
    "ethereum:vitalik.eth?value=1",
  ]);
});

describe("the links of other networks", () => {
  const monero = "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A";
  const wallet = "mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN";
  const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
  reads([
    [
      `monero:${monero}?tx_amount=239.39014&tx_description=donation`,
      {
        networkTitle: "XMR",
        address: monero,
        amount: "239.39014",
        ignored: ["tx_description"],
      },
    ],
    [
      `solana:${wallet}?amount=1&label=Michael&message=Thanks%20for%20all%20the%20fish&memo=OrderId12345`,
      {
        networkTitle: "SOL",
        address: wallet,
        amount: "1",
        memo: "OrderId12345",
        ignored: ["label", "message"],
      },
    ],
    [
      `solana:${wallet}?amount=0.01&spl-token=${usdc}&reference=82ZJ7n&reference=9xQeWv`,
      {
        networkTitle: "SOL",
        address: wallet,
        amount: "0.01",
        contractAddress: usdc,
        ignored: ["reference"],
      },
    ],
    ["xrpl:rHb9?dt=5", { networkTitle: "XRP", address: "rHb9", memo: "5" }],
    [
      "ton://transfer/EQDt-_?amount=5&text=hi%20you",
      { networkTitle: "TON", address: "EQDt-_", amount: "0.000000005", memo: "hi you" },
    ],
    [
      "ton://transfer/EQDt?amount=5&jetton=EQCx&exp=1700000000",
      {
        networkTitle: "TON",
        address: "EQDt",
        minorAmount: 5n,
        contractAddress: "EQCx",
        expiresAt: new Date(1_700_000_000_000),
      },
    ],
    ["ton://transfer/EQDt?text=1+1%2B1", { networkTitle: "TON", address: "EQDt", memo: "1+1+1" }],
    [
      "web+stellar:pay?destination=GA7Q&asset_code=USDC&asset_issuer=GA5Z&amount=2&memo=7&memo_type=MEMO_ID&msg=hi",
      { networkTitle: "XLM", address: "GA7Q", amount: "2", memo: "7", contractAddress: "USDC:GA5Z", ignored: ["msg"] },
    ],
  ]);
  refuses("demand", [
    `monero:${monero}?tx_payment_id=0123456789abcdef`,
    "ton://transfer/EQDt?amount=5&bin=te6cckEBAQEA",
    "ton://transfer/EQDt?init=te6cckEBAQEA",
    "bitcoin:bc1q?req%2Dfoo=1",
    "ripple:rHb9?amount=5&currency=USD&issuer=rvYA",
    "tron:TJRa?amount=10&token=TR7N",
    "bitcoincash:qpm2?c=0123",
    "web+stellar:pay?destination=GA7Q&memo=YWJj&memo_type=MEMO_HASH",
    "web+stellar:pay?destination=GA7Q&memo=77&memo_type=MEMO_TEXT",
  ]);
  refuses("unreadable", [
    "solana:https%3A%2F%2Fexample.com%2Fpay",
    "web+stellar:tx?xdr=AAAA",
    "web+stellar:pay?destination=GA7Q&amount=5&asset_code=USDC",
    "ton://transfer/EQDt?amount=1.5",
    "ton://transfer/EQDt?exp=tomorrow",
    `monero:${monero};${monero}?tx_amount=1;2`,
  ]);
});

it("never throws", () => {
  const start = fc.constantFrom("bitcoin:", "ethereum:", "ton://transfer/", "web+stellar:pay?", "ripple:", "");
  fc.assert(
    fc.property(start, fc.string(), (scheme, rest) => {
      expect(() => readPaymentLink(scheme + rest)).not.toThrow();
    }),
  );
});
