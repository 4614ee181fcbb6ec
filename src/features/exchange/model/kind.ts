import type { Instrument } from "#contract/instrument.ts";

/** What a pair is to a person: coins for coins, or coins bought or sold by card. */
export type ExchangeKind = "exchange" | "buy" | "sell";

type Kinded = Pick<Instrument, "instrumentType"> | undefined;

/** Whether it is a currency that a card pays; false for coins, and without an instrument. */
export const isFiat = (instrument: Kinded): boolean => instrument?.instrumentType === "fiat";

/** The kind of a pair, by which of its sides is fiat. */
export const kindOf = (from: Kinded, to: Kinded): ExchangeKind =>
  isFiat(from) ? "buy" : isFiat(to) ? "sell" : "exchange";

/** What is sent at first (spec §9). */
export const DEFAULT_AMOUNTS: Readonly<Record<ExchangeKind, string>> = { exchange: "500", buy: "200", sell: "0.01" };
