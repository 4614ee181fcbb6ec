import { formatAmount, isDecimal } from "../money.ts";
import { percentDecoded } from "./percent-decoding.ts";
import { PAYMENT_SCHEMES, STELLAR_PAY, stellarMemoType, type PaymentScheme } from "./payment-uri.ts";

/** What a pasted text asks for. What it doesn't say is null. */
export type PastedPayment = {
  kind: "payment";
  /** Null for a plain address, and for a development chain; `eip155:137` for a chain that we have no title for (CAIP-2). */
  networkTitle: string | null;
  address: string;
  memo: string | null;
  /** A wire decimal of the coin. */
  amount: string | null;
  /** Instead of `amount`, where the text counts minor units of a token and doesn't say how many make up one. */
  minorAmount: bigint | null;
  /** Null for the network's own coin. */
  contractAddress: string | null;
  /** Until when the recipient expects it. */
  expiresAt: Date | null;
  /** The names of the parameters that none of this says. */
  ignored: readonly string[];
};

/** `demand`: it names something that must be honoured and can't be here. `unreadable`: badly written, or no payment. */
export type RefusedLink = { kind: "refused"; reason: "demand" | "unreadable" };

/**
 * Reads what a person pastes or scans: a payment link (BIP-21, BIP-321, EIP-681, Solana Pay, SEP-7, those of TON, Monero, XRP,
 * TRON, Cardano), or a plain address, which names no network. Null for a text that is neither.
 */
export function readPaymentLink(text: string): PastedPayment | RefusedLink | null {
  const pasted = text.trim();
  if (pasted === "" || pasted.length > 2048) return null;
  const lower = pasted.toLowerCase();
  const hasSpace = /\s/.test(pasted);
  if (lower.startsWith("ethereum:")) return hasSpace ? unreadable : readEthereumLink(pasted.slice("ethereum:".length));
  if (lower.startsWith(STELLAR)) return hasSpace ? unreadable : readStellarLink(pasted.slice(STELLAR.length));
  for (const scheme of PAYMENT_SCHEMES)
    for (const start of [scheme.start, ...(scheme.aliases ?? [])])
      if (lower.startsWith(start)) return hasSpace ? unreadable : readSchemeLink(scheme, pasted.slice(start.length));
  return PLAIN.test(pasted) ? { ...nothing, address: pasted } : null;
}

const STELLAR = STELLAR_PAY.slice(0, STELLAR_PAY.indexOf(":") + 1);
const PLAIN = /^[A-Za-z0-9_+/=-]+$/;
const unreadable: RefusedLink = { kind: "refused", reason: "unreadable" };
const demand: RefusedLink = { kind: "refused", reason: "demand" };
const nothing = {
  kind: "payment",
  networkTitle: null,
  memo: null,
  amount: null,
  minorAmount: null,
  contractAddress: null,
  expiresAt: null,
  ignored: [],
} as const;

function readSchemeLink(scheme: PaymentScheme, rest: string): PastedPayment | RefusedLink {
  const [path, query] = splitOnce(rest, "?");
  const parameters = readParameters(query);
  if ("kind" in parameters) return parameters;
  const { take } = parameters;
  const inPath = path.replace(/^\/\//, "");
  const address = inPath || (scheme.address && take(scheme.address)) || "";
  const [contractAddress, memo, expiry, asked] = [scheme.token, scheme.memo, scheme.expiry, scheme.amount].map(
    (name) => (name && take(name)) ?? null,
  );
  if ((scheme.demands ?? []).some((name) => take(name) !== null)) return demand;
  if (!PLAIN.test(address)) return unreadable;
  if (expiry != null && !/^[0-9]{1,12}$/.test(expiry)) return unreadable;
  const base: PastedPayment = {
    ...nothing,
    networkTitle: scheme.networkTitle,
    address,
    memo: memo ?? null,
    contractAddress: contractAddress ?? null,
    expiresAt: expiry == null ? null : new Date(Number(expiry) * 1000),
    ignored: parameters.left(),
  };
  if (asked == null) return base;
  if (scheme.minorDecimals === undefined) {
    const amount = readDecimal(asked);
    return amount === null ? unreadable : { ...base, amount };
  }
  if (!/^[0-9]{1,78}$/.test(asked)) return unreadable;
  if (base.contractAddress !== null) return { ...base, minorAmount: BigInt(asked) };
  return { ...base, amount: formatAmount(BigInt(asked), scheme.minorDecimals) };
}

/** SEP-7 `pay`; its other calls are no payments. */
function readStellarLink(rest: string): PastedPayment | RefusedLink {
  const [call, query] = splitOnce(rest, "?");
  const parameters = readParameters(query);
  if ("kind" in parameters) return parameters;
  const { take } = parameters;
  const address = take("destination");
  if (call.toLowerCase() !== "pay" || address === null || !/^[A-Z0-9]+$/.test(address)) return unreadable;
  const [asked, memo, issuer, code] = [take("amount"), take("memo"), take("asset_issuer"), take("asset_code")];
  const memoType = take("memo_type");
  // Sent as another kind, the recipient would not find it.
  if (memo !== null && memoType !== null && memoType.toUpperCase() !== stellarMemoType(memo)) return demand;
  const amount = asked === null ? null : readDecimal(asked);
  if (asked !== null && amount === null) return unreadable;
  // An asset of Stellar is named by its code and its issuer; the network's own coin has no issuer.
  if (issuer === null && code !== null && !["XLM", "NATIVE"].includes(code.toUpperCase())) return unreadable;
  const contractAddress = issuer === null ? null : `${code ?? ""}:${issuer}`;
  return { ...nothing, networkTitle: "XLM", address, memo, amount, contractAddress, ignored: parameters.left() };
}

const ETHER_DECIMALS = 18;
const MAINNET = "1";
/** Hardhat's, anvil's and Ganache's: nothing on them is worth anything. */
const DEVELOPMENT_CHAINS: readonly string[] = ["31337", "1337"];
const TARGET = /^(?:pay-)?(0x[0-9a-fA-F]{40})(?:@([0-9]+))?(?:\/([A-Za-z]+))?$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Reads what stands behind `ethereum:` (EIP-681): a payment in ether, or a token's `transfer`. Other calls are refused. */
function readEthereumLink(rest: string): PastedPayment | RefusedLink {
  const [path, query] = splitOnce(rest, "?");
  const [, target, chainId = MAINNET, call] = TARGET.exec(path) ?? [];
  const parameters = readParameters(query);
  if ("kind" in parameters) return parameters;
  if (target === undefined) return unreadable;
  const { take } = parameters;
  const networkTitle = chainTitle(chainId);
  if (call === undefined) {
    const value = take("value");
    const wei = value === null ? null : wholeNumber(value);
    if (wei === undefined) return unreadable;
    const amount = wei === null ? null : formatAmount(wei, ETHER_DECIMALS);
    return { ...nothing, networkTitle, address: target, amount, ignored: parameters.left() };
  }
  const [address, units] = [take("address"), take("uint256")];
  const minorAmount = units === null ? null : wholeNumber(units);
  if (call !== "transfer" || address === null || !ADDRESS.test(address) || minorAmount === undefined) return unreadable;
  return { ...nothing, networkTitle, address, minorAmount, contractAddress: target, ignored: parameters.left() };
}

function chainTitle(chainId: string): string | null {
  if (DEVELOPMENT_CHAINS.includes(chainId)) return null;
  return chainId === MAINNET ? "ETH" : `eip155:${chainId}`;
}

/** The standard writes 2.014e18 for 2014000000000000000; undefined for what is no whole number. */
function wholeNumber(text: string): bigint | undefined {
  const [, whole = "", fraction = "", exponent = "0"] =
    /^\+?([0-9]+)(?:\.([0-9]+))?(?:e([0-9]{1,2}))?$/i.exec(text) ?? [];
  const zeros = Number(exponent) - fraction.length;
  if (whole === "" || whole.length > 78 || zeros < 0) return undefined;
  return BigInt(whole + fraction + "0".repeat(zeros));
}

/** As a wire decimal: wallets also write `.5`, `5.`, `0.10` and `05`. */
function readDecimal(text: string): string | null {
  const [, whole = "", fraction = ""] = /^0*([0-9]*)(?:\.([0-9]*?)0*)?$/.exec(text) ?? [];
  if (!/[0-9]/.test(text)) return null;
  const decimal = (whole || "0") + (fraction && `.${fraction}`);
  return /^[0-9]*\.?[0-9]*$/.test(text) && isDecimal(decimal) ? decimal : null;
}

type Parameters = {
  /** The value of a parameter, whatever the case of its name. */
  take(name: string): string | null;
  /** The names of those that nobody took. */
  left(): string[];
};

/**
 * The parameters behind a "?". Refused are one that stands twice, one that is badly written, and one that must be understood
 * and isn't (BIP-21 `req-`). Names are read in any case: QR codes are written in capitals to be smaller.
 */
function readParameters(query: string): Parameters | RefusedLink {
  const values = new Map<string, string>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const [written, text] = splitOnce(pair, "=");
    const [name, value] = [percentDecoded(written)?.toLowerCase() ?? null, percentDecoded(text)];
    if (name?.startsWith("req-") === true) return demand;
    if (name === null || value === null || (values.has(name) && name !== REPEATED)) return unreadable;
    values.set(name, value);
  }
  const left = new Set(values.keys());
  return {
    take: (name) => {
      left.delete(name);
      return values.get(name) ?? null;
    },
    left: () => [...left],
  };
}

/** Solana Pay's references may be several. */
const REPEATED = "reference";

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
