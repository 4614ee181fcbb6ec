import { isSameAddress } from "#contract/address.ts";
import type { Instrument } from "#contract/instrument.ts";
import { decimalPlaces, formatAmount, isDecimal } from "#contract/money.ts";
import { type PastedPayment, readPaymentLink } from "#contract/links/payment-link.ts";

/** The coin that the field is for. */
export type FieldInstrument = Pick<
  Instrument,
  "networkTitle" | "precisionDecimals" | "contractAddress" | "requiresMemo"
>;

/** What the field takes. */
export type Taken = {
  address: string;
  memo: string | null;
  /** A wire decimal in the coin of the field; null where the link names none, or one of another coin. */
  amount: string | null;
};

/** What a person must read of a link: everything that it says and that is not taken. */
export type LinkNote =
  /** Refused: the address is on another network. */
  | { kind: "other_network"; network: string }
  | { kind: "expired" | "demand" | "unreadable" }
  /** Taken, without what it says of the amount. */
  | { kind: "other_coin" | "amount_left_out" }
  /** The memo of the address before was removed with it. */
  | { kind: "memo_removed"; network: string }
  /** Taken, without these. */
  | { kind: "ignored"; names: readonly string[] };

/** `taken` is null for a link that is refused: the field stays as it is. */
type PastedAddress = { taken: Taken | null; notes: readonly LinkNote[] };

/**
 * Splits a pasted or scanned payment link into address, memo and amount. A link for another network, one that has expired and one
 * that can't be honoured are refused; any text that is no link is taken as the address itself, without its blanks: no address has
 * any, and many wallets show them in groups.
 */
export function readPastedAddress(pasted: string, instrument: FieldInstrument, now: Date): PastedAddress {
  const link = readPaymentLink(pasted);
  if (link === null) return { taken: { address: pasted.replaceAll(/\s/g, ""), memo: null, amount: null }, notes: [] };
  if (link.kind === "refused") return refused({ kind: link.reason });
  if (link.networkTitle !== null && link.networkTitle !== instrument.networkTitle)
    return refused({ kind: "other_network", network: link.networkTitle });
  if (link.expiresAt !== null && link.expiresAt <= now) return refused({ kind: "expired" });
  const { amount, note } = amountOf(link, instrument);
  const memo = instrument.requiresMemo ? link.memo : null;
  const ignored = memo === link.memo ? link.ignored : ["memo", ...link.ignored];
  return {
    taken: { address: link.address, memo, amount },
    notes: [
      ...(note === null ? [] : [note]),
      ...(ignored.length === 0 ? [] : [{ kind: "ignored", names: ignored } as const]),
    ],
  };
}

const refused = (note: LinkNote): PastedAddress => ({ taken: null, notes: [note] });

function amountOf(
  { amount, minorAmount, contractAddress }: PastedPayment,
  { precisionDecimals, contractAddress: own }: FieldInstrument,
): { amount: string | null; note: LinkNote | null } {
  const isAsked = amount !== null || minorAmount !== null;
  const isNamed = isAsked || contractAddress !== null;
  if (isNamed && !isSameContract(contractAddress, own)) return { amount: null, note: { kind: "other_coin" } };
  if (!isAsked) return { amount: null, note: null };
  const asked = minorAmount === null ? amount : formatAmount(minorAmount, precisionDecimals);
  const isUsable = isDecimal(asked) && asked !== "0" && decimalPlaces(asked) <= precisionDecimals;
  return isUsable && asked.length <= MAX_LENGTH
    ? { amount: asked, note: null }
    : { amount: null, note: { kind: "amount_left_out" } };
}

/** More digits than any amount has. */
const MAX_LENGTH = 41;

/** Null is the network's own coin. */
const isSameContract = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && isSameAddress(one, other));
