import { parseAmount } from "../money.ts";

/** What a wallet is asked to send; `amount` is a decimal of the coin, `contractAddress` null for a network's own coin. */
export type PaymentRequest = {
  networkTitle: string;
  address: string;
  memo: string | null;
  amount: string;
  contractAddress: string | null;
};

/** How a network's wallets write a payment. `start` is what stands in front of the address; parameters in lower case. */
export type PaymentScheme = {
  networkTitle: string;
  start: string;
  /** Other spellings that are read and never written. */
  aliases?: readonly string[];
  amount: string;
  /** Where amounts count minor units: how many make up a coin, in decimals. */
  minorDecimals?: number;
  memo?: string;
  token?: string;
  /** The address where nothing stands in its place. */
  address?: string;
  /** Until when the payment is expected, in seconds of Unix time. */
  expiry?: string;
  /** What changes the payment and can't be met here: a link with it is refused. */
  demands?: readonly string[];
};

export const PAYMENT_SCHEMES: readonly PaymentScheme[] = [
  { networkTitle: "BTC", start: "bitcoin:", amount: "amount", address: "bc" },
  { networkTitle: "LTC", start: "litecoin:", amount: "amount" },
  { networkTitle: "DOGE", start: "dogecoin:", aliases: ["doge:"], amount: "amount" },
  { networkTitle: "BCH", start: "bitcoincash:", amount: "amount", demands: ["c", "f"] },
  { networkTitle: "XMR", start: "monero:", amount: "tx_amount", demands: ["tx_payment_id"] },
  { networkTitle: "SOL", start: "solana:", amount: "amount", memo: "memo", token: "spl-token" },
  {
    networkTitle: "XRP",
    start: "ripple:",
    aliases: ["xrpl:", "xrp:"],
    amount: "amount",
    memo: "dt",
    demands: ["currency", "issuer"],
  },
  {
    networkTitle: "TON",
    start: "ton://transfer/",
    amount: "amount",
    minorDecimals: 9,
    memo: "text",
    token: "jetton",
    expiry: "exp",
    demands: ["bin", "init"],
  },
  { networkTitle: "TRX", start: "tron:", amount: "amount", demands: ["token"] },
  { networkTitle: "ADA", start: "web+cardano:", aliases: ["cardano:"], amount: "amount" },
  { networkTitle: "IOTX", start: "iotex:", amount: "amount" },
];

export const STELLAR_PAY = "web+stellar:pay?";

/**
 * Writes the payment URI that wallets of a network open: BIP-21 and its like, SEP-7 for Stellar, ton://transfer. A
 * network without one gets the plain address; Ethereum's EIP-681 needs a chain id and is written by its driver.
 */
export function buildPaymentUri(request: PaymentRequest): string {
  const { networkTitle, address, memo, amount, contractAddress } = request;
  if (networkTitle === "XLM") return stellarUri(request);
  const scheme = PAYMENT_SCHEMES.find((one) => one.networkTitle === networkTitle);
  if (scheme === undefined) return address;
  // Wallets read an amount as one of the network's own coin: a token's amount is written only where the token can be
  // named as well.
  const tellsAmount = contractAddress === null || (scheme.token !== undefined && scheme.minorDecimals === undefined);
  const query = queryOf([
    [scheme.amount, tellsAmount ? inSchemeUnits(scheme, amount) : null],
    [scheme.token, contractAddress],
    [scheme.memo, memo],
  ]);
  // The scheme of Bitcoin Cash is the prefix of its addresses too.
  const start = address.startsWith(scheme.start) ? "" : scheme.start;
  return `${start}${address}${query && `?${query}`}`;
}

function stellarUri({ address, memo, amount, contractAddress }: PaymentRequest): string {
  const [code, issuer] = (contractAddress ?? "").split(":");
  const query = queryOf([
    ["destination", address],
    ["amount", amount],
    ["asset_code", contractAddress && (code ?? null)],
    ["asset_issuer", contractAddress && (issuer ?? null)],
    ["memo", memo],
    ["memo_type", memo && stellarMemoType(memo)],
  ]);
  return STELLAR_PAY + query;
}

/** As which of its kinds a memo of Stellar is sent. */
export function stellarMemoType(memo: string): "MEMO_HASH" | "MEMO_ID" | "MEMO_TEXT" {
  if (/^[0-9a-f]{64}$/.test(memo)) return "MEMO_HASH";
  return /^[0-9]+$/.test(memo) ? "MEMO_ID" : "MEMO_TEXT";
}

function inSchemeUnits({ minorDecimals }: PaymentScheme, amount: string): string | null {
  return minorDecimals === undefined ? amount : (parseAmount(amount, minorDecimals)?.toString() ?? null);
}

function queryOf(parameters: [name: string | undefined, value: string | null][]): string {
  return parameters
    .flatMap(([name, value]) => (name === undefined || value === null ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join("&");
}
