import { isSameAddress } from "#contract/address.ts";
import type { Instrument } from "#contract/instrument.ts";
import { decimalPlaces, formatAmount, isDecimal } from "#contract/money.ts";
import { type PastedPayment, parsePaymentUri } from "#contract/payment-uri.ts";

/** The coin that the field is for: an amount in a link counts only if it is one of this coin. */
export type FieldInstrument = Pick<Instrument, "networkTitle" | "precisionDecimals" | "contractAddress">;

type PastedAddress = {
  address: string;
  memo: string | null;
  /** A wire decimal in the coin of the field; null where the link names none, or one of another coin. */
  amount: string | null;
};

/** Splits a pasted or scanned payment link into address, memo and amount; any other text is taken as the address itself. */
export function readPastedAddress(pasted: string, instrument: FieldInstrument): PastedAddress {
  const payment = parsePaymentUri(pasted);
  if (payment === null) return { address: pasted.trim(), memo: null, amount: null };
  return { address: payment.address, memo: payment.memo, amount: amountOf(payment, instrument) };
}

function amountOf(payment: PastedPayment, instrument: FieldInstrument): string | null {
  if (payment.networkTitle !== null && payment.networkTitle !== instrument.networkTitle) return null;
  if (!isSameContract(payment.contractAddress, instrument.contractAddress)) return null;
  const { amount, minorAmount } = payment;
  const asked = minorAmount === null ? amount : formatAmount(minorAmount, instrument.precisionDecimals);
  const isUsable = isDecimal(asked) && asked !== "0" && decimalPlaces(asked) <= instrument.precisionDecimals;
  return isUsable && asked.length <= MAX_LENGTH ? asked : null;
}

/** More digits than any amount has. */
const MAX_LENGTH = 41;

/** Null is the network's own coin. */
const isSameContract = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && isSameAddress(one, other));
