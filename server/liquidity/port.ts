import type { Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";

type Recipient = { address: string; memo: string | null };

/** An instrument as a partner needs it: titles, precision, and the contract of a token. */
export type TradedInstrument = {
  slug: string;
  currencyTitle: string;
  networkTitle: string;
  decimals: number;
  contractAddress: string | null;
};
export type PartnerPair = { from: TradedInstrument; to: TradedInstrument };

/** What a partner would deliver for an amount, in minor units of both sides. */
export type QuotedPoint = { amountFrom: bigint; amountTo: bigint };

export type ExchangeRequest = {
  pair: PartnerPair;
  /** Our id, at most 64 characters, for the partner's support. */
  clientId: string;
  /** Minor units of the sending instrument. */
  amount: bigint;
  destination: Recipient;
  /** Ours, used for this exchange alone. */
  refund: Recipient;
  /** The customer of the exchange; a partner may ask for it. */
  userIp: string | null;
};

/** An exchange as the partner reports it; compared with the request before it is used. */
export type OpenedExchange = {
  partnerId: string;
  deposit: Recipient;
  /** What it will pay and where it would return to; null where the answer doesn't repeat it. */
  destination: string | null;
  refund: string | null;
  min: bigint | null;
  max: bigint | null;
  expiresAt: Date | null;
};

/**
 * `refused`: a 4xx other than 429, nothing was opened. `unknown`: 429, 5xx, no answer or one that can't be read; an
 * exchange may be open (engine law 6).
 */
type Opening =
  | { kind: "opened"; exchange: OpenedExchange }
  | { kind: "refused"; reason: string }
  | { kind: "unknown"; reason: string };

/** `unsupported`: the partner can't look up an exchange without its own id. */
type LookupResult = { kind: "found"; exchange: OpenedExchange } | { kind: "absent" } | { kind: "unsupported" };

/** Where an exchange takes its deposit and what it pays, as the partner has it; null where its answer doesn't say that. */
export type PartnerAddresses = {
  deposit: string | null;
  destination: string | null;
  /** Absent where its answer doesn't say whether there is one. */
  destinationMemo?: string | null;
};

/** Where an exchange stands. `review`: the partner checks it by hand. `finished` and `returned` are claims until a chain shows them. */
export type PartnerStatus =
  | { kind: "waiting" }
  | { kind: "working" }
  | { kind: "review"; reason: string }
  | { kind: "finished"; txId: string; amount: bigint }
  | { kind: "returning" }
  | { kind: "returned" }
  | { kind: "expired" };

/** An external exchange that can fill orders. */
export interface LiquidityPartner {
  /** What `liquidityProviderPublicCode` shows. */
  readonly code: string;
  /** The amounts that it quotes, in the order given; the others are left out. Throws `PartnerError` when it can't be reached. */
  quote(pair: PartnerPair, amounts: readonly bigint[]): Promise<QuotedPoint[]>;
  open(request: ExchangeRequest): Promise<Opening>;
  /** Looks up an exchange whose opening has an unknown result. Throws `PartnerError` while that fails. */
  find(request: ExchangeRequest, since: Date): Promise<LookupResult>;
  /** Throws `PartnerError` when it can't be reached or reports something unknown. */
  status(partnerId: string, pair: PartnerPair): Promise<PartnerStatus>;
  /** Null where it has no exchange of that id. Throws `PartnerError` when it can't be reached. */
  addresses(partnerId: string): Promise<PartnerAddresses | null>;
}

/** A call to a partner failed, or its answer can't be read: the result is unknown. */
export class PartnerError extends Error {
  override name = "PartnerError";
}

/** An exchange to open at a partner, stored in the transaction that decides it. */
type ExchangeIntent = {
  orderId: string;
  reference: string;
  partner: string;
  fromSlug: string;
  toSlug: string;
  amount: bigint;
  expected: bigint;
  destination: Recipient;
};
export type IntendExchange = (transaction: Transaction<Schema>, intent: ExchangeIntent, at: Date) => Promise<void>;

/** Gives up an order's exchange that was not opened yet; false where it was. */
export type AbandonUnopened = (transaction: Transaction<Schema>, orderId: string) => Promise<boolean>;

/** How an order's exchange at a partner ended. */
export type ExchangeEnd = { kind: "finished"; txId: string; delivered: bigint } | { kind: "gone"; partner: string };
