import { formatAmount, isDecimal, parseAmount } from "./money.ts";

/** What a pasted text asks for. What it doesn't say is null. */
export type PastedPayment = {
  /** Null for a plain address, and for a chain that only its wallet knows. */
  networkTitle: string | null;
  address: string;
  memo: string | null;
  /** A wire decimal of the coin. */
  amount: string | null;
  /** Instead of `amount`, where the text counts minor units of a token and doesn't say how many make up one. */
  minorAmount: bigint | null;
  /** Null for the network's own coin. */
  contractAddress: string | null;
};

/** What a wallet is asked to send; `amount` is a decimal of the coin, `contractAddress` null for a network's own coin. */
export type PaymentRequest = {
  networkTitle: string;
  address: string;
  memo: string | null;
  amount: string;
  contractAddress: string | null;
};

/** How a network's wallets write a payment. `start` is what stands in front of the address. */
type Scheme = {
  networkTitle: string;
  start: string;
  /** Other spellings that are read and never written. */
  aliases?: readonly string[];
  amount: string;
  /** Where amounts count minor units: how many make up a coin, in decimals. */
  minorDecimals?: number;
  memo?: string;
  token?: string;
};

const SCHEMES: readonly Scheme[] = [
  { networkTitle: "BTC", start: "bitcoin:", amount: "amount" },
  { networkTitle: "LTC", start: "litecoin:", amount: "amount" },
  { networkTitle: "DOGE", start: "dogecoin:", aliases: ["doge:"], amount: "amount" },
  { networkTitle: "BCH", start: "bitcoincash:", amount: "amount" },
  { networkTitle: "XMR", start: "monero:", amount: "tx_amount" },
  { networkTitle: "SOL", start: "solana:", amount: "amount", memo: "memo", token: "spl-token" },
  { networkTitle: "XRP", start: "ripple:", aliases: ["xrpl:", "xrp:"], amount: "amount", memo: "dt" },
  { networkTitle: "TON", start: "ton://transfer/", amount: "amount", minorDecimals: 9, memo: "text", token: "jetton" },
  { networkTitle: "TRX", start: "tron:", amount: "amount" },
  { networkTitle: "ADA", start: "web+cardano:", aliases: ["cardano:"], amount: "amount" },
  { networkTitle: "IOTX", start: "iotex:", amount: "amount" },
];

const STELLAR = "web+stellar:pay?";

/**
 * Writes the payment URI that wallets of a network open: BIP-21 and its like, SEP-7 for Stellar, ton://transfer. A
 * network without one gets the plain address; Ethereum's EIP-681 needs a chain id and is written by its driver.
 */
export function buildPaymentUri(request: PaymentRequest): string {
  const { networkTitle, address, memo, amount, contractAddress } = request;
  if (networkTitle === "XLM") return stellarUri(request);
  const scheme = SCHEMES.find((one) => one.networkTitle === networkTitle);
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

/**
 * Reads what a person pastes or scans: a payment URI, or a plain address, which names no network. Null for what is
 * neither: another scheme, no address, an amount that is none, a demand (`req-…`) that nobody here can meet.
 */
export function parsePaymentUri(text: string): PastedPayment | null {
  const pasted = text.trim();
  if (pasted === "" || pasted.length > 2048 || /\s/.test(pasted)) return null;
  const lower = pasted.toLowerCase();
  if (lower.startsWith("ethereum:")) return parseEthereumUri(pasted.slice("ethereum:".length));
  if (lower.startsWith(STELLAR)) return parseStellarUri(pasted.slice(STELLAR.length));
  for (const scheme of SCHEMES)
    for (const start of [scheme.start, ...(scheme.aliases ?? [])])
      if (lower.startsWith(start)) return parseScheme(scheme, pasted.slice(start.length));
  return /^[A-Za-z0-9_+/=-]+$/.test(pasted) ? { ...nothing, address: pasted } : null;
}

const nothing = { networkTitle: null, memo: null, amount: null, minorAmount: null, contractAddress: null } as const;

function parseScheme(scheme: Scheme, rest: string): PastedPayment | null {
  const [path, query = ""] = splitOnce(rest, "?");
  const address = path.replace(/^\/\//, "");
  const parameters = readParameters(query);
  if (address === "" || parameters === null || !/^[A-Za-z0-9_+/=-]+$/.test(address)) return null;
  const contractAddress = (scheme.token && parameters.get(scheme.token)) ?? null;
  const memo = (scheme.memo && parameters.get(scheme.memo)) ?? null;
  const asked = parameters.get(scheme.amount);
  const base = { networkTitle: scheme.networkTitle, address, memo, contractAddress, amount: null, minorAmount: null };
  if (asked === undefined) return base;
  if (scheme.minorDecimals === undefined) return isDecimal(asked) ? { ...base, amount: plain(asked) } : null;
  if (!/^[0-9]{1,78}$/.test(asked)) return null;
  if (contractAddress !== null) return { ...base, minorAmount: BigInt(asked) };
  return { ...base, amount: formatAmount(BigInt(asked), scheme.minorDecimals) };
}

function stellarUri({ address, memo, amount, contractAddress }: PaymentRequest): string {
  const [code, issuer] = splitOnce(contractAddress ?? "", ":");
  const isId = memo !== null && /^[0-9]+$/.test(memo);
  const memoType = /^[0-9a-f]{64}$/.test(memo ?? "") ? "MEMO_HASH" : isId ? "MEMO_ID" : "MEMO_TEXT";
  const query = queryOf([
    ["destination", address],
    ["amount", amount],
    ["asset_code", contractAddress && code],
    ["asset_issuer", contractAddress && (issuer ?? null)],
    ["memo", memo],
    ["memo_type", memo && memoType],
  ]);
  return STELLAR + query;
}

function parseStellarUri(query: string): PastedPayment | null {
  const parameters = readParameters(query);
  const address = parameters?.get("destination");
  if (!parameters || address === undefined || !/^[A-Z0-9]+$/.test(address)) return null;
  const amount = parameters.get("amount");
  if (amount !== undefined && !isDecimal(amount)) return null;
  return {
    networkTitle: "XLM",
    address,
    memo: parameters.get("memo") ?? null,
    amount: amount === undefined ? null : plain(amount),
    minorAmount: null,
    contractAddress: assetOf(parameters),
  };
}

/** An asset of Stellar is named by its code and its issuer; the network's own coin has no issuer. */
function assetOf(parameters: Parameters): string | null {
  const issuer = parameters.get("asset_issuer");
  return issuer === undefined ? null : `${parameters.get("asset_code") ?? ""}:${issuer}`;
}

function inSchemeUnits({ minorDecimals }: Scheme, amount: string): string | null {
  return minorDecimals === undefined ? amount : (parseAmount(amount, minorDecimals)?.toString() ?? null);
}

/** Without the zeros that a wire decimal doesn't have. */
const plain = (decimal: string): string => (decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal);

const ETHER_DECIMALS = 18;
const MAINNET = "1";
const TARGET = /^(?:pay-)?(0x[0-9a-fA-F]{40})(?:@([0-9]+))?(?:\/([A-Za-z]+))?$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Reads what stands behind `ethereum:` (EIP-681): a payment in ether, or a token's `transfer`. Other calls are null. */
function parseEthereumUri(rest: string): PastedPayment | null {
  const at = rest.indexOf("?");
  const [, target, chainId = MAINNET, call] = TARGET.exec(at === -1 ? rest : rest.slice(0, at)) ?? [];
  const parameters = readParameters(at === -1 ? "" : rest.slice(at + 1));
  if (target === undefined || parameters === null) return null;
  const networkTitle = chainId === MAINNET ? "ETH" : null;

  const read = (name: string): bigint | null | undefined => {
    const text = parameters.get(name);
    return text === undefined ? null : wholeNumber(text);
  };
  if (call === undefined) {
    const value = read("value");
    if (value === undefined) return null;
    const amount = value === null ? null : formatAmount(value, ETHER_DECIMALS);
    return { networkTitle, address: target, memo: null, amount, minorAmount: null, contractAddress: null };
  }
  const address = parameters.get("address");
  const minorAmount = read("uint256");
  if (call !== "transfer" || address === undefined || !ADDRESS.test(address) || minorAmount === undefined) return null;
  return { networkTitle, address, memo: null, amount: null, minorAmount, contractAddress: target };
}

/** The standard writes 2.014e18 for 2014000000000000000; undefined for what is no whole number. */
function wholeNumber(text: string): bigint | undefined {
  const [, whole = "", fraction = "", exponent = "0"] = /^([0-9]+)(?:\.([0-9]+))?(?:e([0-9]{1,2}))?$/i.exec(text) ?? [];
  const zeros = Number(exponent) - fraction.length;
  if (whole === "" || whole.length > 78 || zeros < 0) return undefined;
  return BigInt(whole + fraction + "0".repeat(zeros));
}

function queryOf(parameters: [name: string | undefined, value: string | null][]): string {
  return parameters
    .flatMap(([name, value]) => (name === undefined || value === null ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join("&");
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

type Parameters = ReadonlyMap<string, string>;

/**
 * The parameters behind a "?": null for one that stands twice, is badly written or must be understood and isn't (BIP-21
 * `req-`).
 */
function readParameters(query: string): Parameters | null {
  const parameters = new Map<string, string>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = at === -1 ? pair : pair.slice(0, at);
    const value = decoded(at === -1 ? "" : pair.slice(at + 1));
    if (value === null || parameters.has(name) || name.startsWith("req-")) return null;
    parameters.set(name, value);
  }
  return parameters;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
