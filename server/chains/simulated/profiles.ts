import { divideUp } from "#contract/money.ts";

/** How a network is simulated. Fees are what a payment costs, in minor units of the network's own coin. */
export type Profile = {
  /** The slug of the network's own coin. */
  coin: string;
  /** Payments spend outputs, as in Bitcoin, or count up a nonce of their account. */
  model: "outputs" | "account";
  /** Far shorter than the network's own: a sandbox should not wait. */
  blockMs: number;
  fee: bigint;
  tokenFee?: bigint;
  /** An account exists from its first payment on, which must bring so much of the network's coin. */
  reserve?: bigint;
  /** Customers share one address and are distinguished by a memo. */
  hasMemos?: boolean;
};

/** The usual fee of a payment of an instrument. */
export const usualFee = ({ coin, fee, tokenFee }: Profile, slug: string): bigint =>
  slug === coin ? fee : (tokenFee ?? fee);

/** The fee of a payment while blocks ask for so many percent of the usual one. */
export const currentFee = (profile: Profile, slug: string, percent: number): bigint =>
  divideUp(usualFee(profile, slug) * BigInt(percent), 100n);

/** `contractAddress` is null for the network's own coin. */
export type SimulatedInstrument = { slug: string; contractAddress: string | null; decimals: number };

/** What the reader and the wallet of one simulated network share. */
export type SimulatedNetwork = {
  networkTitle: string;
  /** Every key of the network is derived from it. */
  seed: string;
  profile: Profile;
  instruments: ReadonlyMap<string, SimulatedInstrument>;
  hotAddress: string;
};

/** By network title: the networks that can be simulated. */
export const PROFILES: ReadonlyMap<string, Profile> = new Map([
  ["BTC", { coin: "btc", model: "outputs", blockMs: 4_000, fee: 2_000n }],
  ["LTC", { coin: "ltc", model: "outputs", blockMs: 2_500, fee: 10_000n }],
  ["DOGE", { coin: "doge", model: "outputs", blockMs: 2_000, fee: 10_000_000n }],
  ["BCH", { coin: "bch", model: "outputs", blockMs: 4_000, fee: 500n }],
  ["ADA", { coin: "ada", model: "outputs", blockMs: 2_000, fee: 170_000n }],
  ["XMR", { coin: "xmr", model: "outputs", blockMs: 1_000, fee: 30_000_000n }],
  ["SOL", { coin: "sol", model: "account", blockMs: 1_000, fee: 5_000n, tokenFee: 2_044_280n }],
  ["XRP", { coin: "xrp", model: "account", blockMs: 2_000, fee: 12n, reserve: 1_000_000n, hasMemos: true }],
  ["XLM", { coin: "xlm", model: "account", blockMs: 2_000, fee: 100n, reserve: 10_000_000n, hasMemos: true }],
  ["TON", { coin: "ton", model: "account", blockMs: 2_000, fee: 5_000_000n, tokenFee: 50_000_000n, hasMemos: true }],
  ["TRX", { coin: "trx", model: "account", blockMs: 1_500, fee: 1_100_000n, tokenFee: 13_000_000n }],
  ["IOTX", { coin: "iotx", model: "account", blockMs: 2_000, fee: 10_000_000_000_000_000n }],
]);
