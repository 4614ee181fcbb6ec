import { CodedError } from "#contract/errors.ts";
import type { BodyOf } from "#contract/calls.ts";
import type { CreateOrderBody } from "#contract/order.ts";
import type { NetworkReader } from "../../chains/port.ts";
import type { OrderState, Recipient } from "../decisions/order.ts";

type Readers = ReadonlyMap<string, NetworkReader>;
type AddressRules = { networkTitle: string; requiresMemo: boolean };

/** A refusal of a request; `data` says for each field what is wrong with it (contract §1). */
export const invalid = (data: Record<string, string>, message = "The request is not valid") =>
  new CodedError("ERR_VALIDATION", message, { data });

/** Where the coins go; throws ERR_VALIDATION for an address or memo that the network refuses. */
export function parseDestination(readers: Readers, to: AddressRules, body: CreateOrderBody): Recipient {
  return parseRecipient(readers, to, body.destinationAddress ?? "", body.destinationAddressMemo, "destinationAddress");
}

/** The refund address that a fixed order needs: valid, and different from the destination (spec §5). */
function parseRefund(
  readers: Readers,
  from: AddressRules,
  /** Null where that is wrong itself. */
  destination: Recipient | null,
  body: CreateOrderBody,
): Recipient {
  const refund = parseRecipient(readers, from, body.refundAddress ?? "", body.refundAddressMemo, "refundAddress");
  // Equal addresses on two networks differ, unless the networks share one address format, as all EVM chains do.
  if (refund.address === destination?.address && refund.memo === destination.memo) {
    throw invalid(
      { refundAddress: "error_address_must_be_different" },
      "The refund address must differ from the destination",
    );
  }
  return refund;
}

/**
 * Where the coins go, and where they return to: a fixed order needs a refund address, a floating one keeps what was sent (contract §3).
 * Throws one ERR_VALIDATION for all that is wrong with both.
 */
export function parseRecipients(
  readers: Readers,
  { from, to }: Record<"from" | "to", AddressRules>,
  body: CreateOrderBody,
): { destination: Recipient; refund: Recipient | null } {
  const hasRefund = body.rateMode === "FIXED" || (body.refundAddress ?? "").trim() !== "";
  const refusals: CodedError[] = [];
  const orRefused = (read: () => Recipient): Recipient | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== "ERR_VALIDATION") throw error;
      refusals.push(error);
      return null;
    }
  };
  const destination = orRefused(() => parseDestination(readers, to, body));
  const refund = hasRefund ? orRefused(() => parseRefund(readers, from, destination, body)) : null;
  const [first, second] = refusals;
  if (second !== undefined) throw invalid({ ...first?.data, ...second.data } as Record<string, string>);
  if (first !== undefined || destination === null) throw first ?? new Error("no destination was read");
  return { destination, refund };
}

/** Where the coins of a sale return to, where that was given. */
export const parseOptionalRefund = (readers: Readers, from: AddressRules, body: CreateOrderBody): Recipient | null =>
  (body.refundAddress ?? "").trim() === ""
    ? null
    : parseRecipient(readers, from, body.refundAddress ?? "", body.refundAddressMemo, "refundAddress");

/** The refund address of a request, in the canonical form of the deposit's network. */
export function parseRequestedRefund(readers: Readers, state: OrderState, body: BodyOf<"requestRefund">): Recipient {
  const { networkTitle } = state.terms.from;
  const requiresMemo = state.terms.deposit.memo !== null;
  return parseRecipient(
    readers,
    { networkTitle, requiresMemo },
    body.refundAddress,
    body.refundAddressMemo,
    "refundAddress",
  );
}

export function readerOf(readers: Readers, { networkTitle }: { networkTitle: string }): NetworkReader {
  const reader = readers.get(networkTitle);
  if (reader === undefined) throw new CodedError("ERR_NETWORK_NOT_SUPPORTED", `${networkTitle} is not supported now`);
  return reader;
}

function parseRecipient(
  readers: Readers,
  { networkTitle, requiresMemo }: AddressRules,
  address: string,
  memo: string | null | undefined,
  field: "destinationAddress" | "refundAddress",
): Recipient {
  const text = address.trim();
  if (text === "") throw invalid({ [field]: "error_address_empty" });
  const reader = readerOf(readers, { networkTitle });
  const parsed = reader.parseAddress(text);
  if (!parsed.valid) throw invalid({ [field]: parsed.code ?? "error_address_incorrect" });
  const given = readMemo(reader, requiresMemo ? (memo?.trim() ?? "") : "", `${field}Memo`);
  const carried = parsed.memo ?? null;
  if (carried !== null && given !== null && carried !== given)
    throw invalid({ [`${field}Memo`]: "differs from the one that the address carries" });
  return { address: parsed.canonical, memo: carried ?? given };
}

/** Null for none. On a network without a memo parser the memo is stored as given. */
function readMemo(reader: NetworkReader, text: string, field: string): string | null {
  if (text === "") return null;
  const parsed = reader.parseMemo?.(text) ?? { valid: true, canonical: text };
  if (!parsed.valid) throw invalid({ [field]: "is no memo of this network" });
  return parsed.canonical;
}
