import type { Instrument } from "#contract/instrument.ts";

/** The coin that the field is for: it says what an amount in the link counts. */
export type LinkInstrument = Pick<Instrument, "precisionDecimals" | "contractAddress">;

export type PastedAddress = {
  address: string;
  memo: string | null;
  /** A wire decimal in the coin of the field; null where the link names none, or one of another coin. */
  amount: string | null;
};

const LINK = /^(?<scheme>[a-z][a-z0-9+.-]*):(?:\/\/)?(?<rest>.+)$/i;
const MEMO_NAMES = ["memo", "dt", "tag", "text", "message-id"];
const MINOR_UNITS = /^(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:e(?<exponent>\d{1,2}))?$/i;
const DECIMAL = /^\d+(?:\.\d+)?$/;
const MAX_DIGITS = 40;

type Link = { scheme: string; target: string; params: URLSearchParams };

/**
 * Reads what is pasted or scanned as an address: a payment link (BIP-21, EIP-681 and their like) is split into its address,
 * memo and amount.
 */
export function readPastedAddress(pasted: string, instrument: LinkInstrument): PastedAddress {
  const text = pasted.trim();
  const groups = LINK.exec(text)?.groups;
  if (groups === undefined) return { address: text, memo: null, amount: null };
  const [target = "", query = ""] = (groups["rest"] ?? "").split("?");
  const link = { scheme: (groups["scheme"] ?? "").toLowerCase(), target, params: new URLSearchParams(query) };
  const memo = MEMO_NAMES.map((name) => link.params.get(name)).find((value) => value !== null && value !== "");
  return { address: addressOf(link), memo: memo ?? null, amount: amountOf(link, instrument) };
}

/** EIP-681 names a token's contract as the target and the receiver as `address`, SEP-7 the receiver as `destination`. */
function addressOf({ target, params }: Link): string {
  const receiver = target.endsWith("/transfer") ? params.get("address") : null;
  return receiver ?? params.get("destination") ?? nameIn(target);
}

const nameIn = (target: string): string => target.replace(/^(?:pay-|transfer\/)/, "").split(/[@/]/)[0] ?? "";

function amountOf(link: Link, { precisionDecimals, contractAddress }: LinkInstrument): string | null {
  if (tokenOf(link)?.toLowerCase() !== contractAddress?.toLowerCase()) return null;
  const { scheme, target, params } = link;
  if (scheme === "ethereum")
    return fromMinorUnits(params.get(contractAddress === null ? "value" : "uint256"), precisionDecimals);
  if (scheme === "ton" && target.startsWith("transfer/"))
    return fromMinorUnits(params.get("amount"), precisionDecimals);
  const amount = params.get("amount") ?? params.get("tx_amount") ?? "";
  return DECIMAL.test(amount) ? positive(amount, precisionDecimals) : null;
}

/** The token that a link pays in; undefined for a network's own coin. */
function tokenOf({ scheme, target, params }: Link): string | undefined {
  if (scheme === "ethereum" && target.endsWith("/transfer")) return nameIn(target);
  return params.get("spl-token") ?? params.get("jetton") ?? params.get("asset_issuer") ?? undefined;
}

/** `2.5e18` of a coin with 18 decimals is 2.5 (EIP-681 allows the exponent). */
function fromMinorUnits(text: string | null, decimals: number): string | null {
  const groups = MINOR_UNITS.exec(text ?? "")?.groups;
  if (groups === undefined) return null;
  const fraction = groups["fraction"] ?? "";
  const exponent = Number(groups["exponent"] ?? 0) - fraction.length;
  if (exponent < 0) return null;
  const units = (groups["whole"] ?? "") + fraction + "0".repeat(exponent);
  const digits = units.padStart(decimals + 1, "0");
  return positive(`${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`, decimals);
}

/** Null where it is nothing, or finer or longer than any amount of the coin. */
function positive(amount: string, decimals: number): string | null {
  const [whole = "", fraction = ""] = amount.split(".");
  const kept = [whole.replace(/^0+(?=.)/, ""), fraction.replace(/0+$/, "")] as const;
  if (kept[1].length > decimals || amount.length > MAX_DIGITS + 1 || /^0?$/.test(kept.join(""))) return null;
  return kept[1] === "" ? kept[0] : kept.join(".");
}
