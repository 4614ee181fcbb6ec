import type { Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";

type Place = { address: string; memo: string | null };

/** An instrument as a partner needs it told: names, precision, and the contract by which a token is known. */
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
  /** Ours, at most 64 characters: sent along, so that the partner's people find it too. */
  clientId: string;
  /** Minor units of the sending instrument. */
  amount: bigint;
  destination: Place;
  /** Ours, and of this exchange alone. */
  refund: Place;
  /** Whom the exchange is for; a partner may ask for it. */
  userIp: string | null;
};

/** An exchange as its partner says that it opened it; nothing in it is believed before it was compared with the request. */
export type OpenedExchange = {
  partnerId: string;
  deposit: Place;
  /** What it will pay and where it would return to; null where the answer doesn't repeat it. */
  destination: string | null;
  refund: string | null;
  min: bigint | null;
  max: bigint | null;
  expiresAt: Date | null;
};

/** `unknown` covers every error, time-out and answer that can't be read: an exchange may be open (engine law 6). */
export type Opening =
  | { outcome: "opened"; exchange: OpenedExchange }
  | { outcome: "refused"; reason: string }
  | { outcome: "unknown"; reason: string };

/** `blind`: the partner has no way to look an exchange up without its own id. */
export type Finding = { kind: "found"; exchange: OpenedExchange } | { kind: "absent" } | { kind: "blind" };

/** Where an exchange stands. `held`: the partner's people look at it. `finished` and `returned` are claims until a chain shows them. */
export type PartnerStatus =
  | { kind: "waiting" }
  | { kind: "working" }
  | { kind: "review"; reason: string }
  | { kind: "finished"; txId: string; amount: bigint }
  | { kind: "returning" }
  | { kind: "returned" }
  | { kind: "expired" };

/** Another exchange that can fill an order; the house is the other kind of provider and needs none of this. */
export interface LiquidityPartner {
  /** What `liquidityProviderPublicCode` shows. */
  readonly code: string;
  /** The amounts that it quotes, in the order given; the others are left out. Throws `PartnerError` when it can't be asked. */
  quote(pair: PartnerPair, amounts: readonly bigint[]): Promise<QuotedPoint[]>;
  open(request: ExchangeRequest): Promise<Opening>;
  /** Looks for an exchange whose opening has an unknown outcome. Throws `PartnerError` while that can't be told. */
  find(request: ExchangeRequest, since: Date): Promise<Finding>;
  /** Throws `PartnerError` when it can't be asked or says something unknown. */
  status(partnerId: string, pair: PartnerPair): Promise<PartnerStatus>;
}

/** A partner could not be asked, or its answer could not be read: nothing is known of what was asked for. */
export class PartnerError extends Error {
  override name = "PartnerError";
}

/** What an order wants a partner to do, stored in the transaction that decides it. */
export type ExchangeIntent = {
  orderId: string;
  reference: string;
  partner: string;
  fromSlug: string;
  toSlug: string;
  amount: bigint;
  expected: bigint;
  destination: Place;
};
export type IntendExchange = (transaction: Transaction<Schema>, intent: ExchangeIntent, at: Date) => Promise<void>;

/** What became of an order's exchange at a partner, as far as the order needs it; null while it is under way. */
export type ExchangeEnd = { kind: "finished"; txId: string; delivered: bigint } | { kind: "gone"; partner: string };
