/** What one payment of a network may cost at most, whatever its node says (engine law 15). */
export type PaymentCaps = {
  /** Gas of a payment of the network's own coin, and of a token's. */
  nativeGas: bigint;
  tokenGas: bigint;
  /** Wei for a unit of gas. */
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  /** Minor units for a byte, a virtual one where the network has them; null: the driver's own. */
  feePerByte: bigint | null;
  /** What a call may burn for its energy on TRON, in sun. */
  feeLimit: bigint;
  /** A payment may cost so many times what the customer was charged for it, or so many USD more, whichever allows more. */
  timesCharged: bigint;
  overChargedUsd: string;
  /** The same for a payment that replaces one which is stuck. */
  replacementTimesCharged: bigint;
  replacementOverChargedUsd: string;
};

/** A coin on a network, as it is traded here; `decimals` is the chain's own, `*Usd` are bounds of one order. */
export type CatalogueInstrument = {
  slug: string;
  currencyTitle: string;
  networkTitle: string;
  currencyFriendlyTitle: string;
  networkFriendlyTitle: string;
  bestChangeName: string | null;
  instrumentType: "fiat" | "other";
  requiresMemo: boolean;
  decimals: number;
  contractAddress: string | null;
  /** Of a token, as wallets name it: "TRC20". */
  networkStandard: string | null;
  isPopular: boolean;
  isActive: boolean;
  explorerTx: string | null;
  explorerAddress: string | null;
  confirmations: number;
  minUsd: string;
  maxUsd: string;
  fixedMaxUsd: string;
  sweepMinUsd: string;
  caps: PaymentCaps;
};

/** The pace of a network, by which its nodes are judged (engine law 18). */
export type NetworkPace = {
  blockSeconds: number;
  /** The same where the catalogue says it: what customers read is not guessed. */
  knownBlockSeconds: number | null;
  standstillSeconds: number;
  /** The blocks by which a node may be behind another one. */
  lagBlocks: number;
  /** How many of several nodes must agree on a block; null: the majority of those that answer. */
  nodesToAgree: number | null;
};

/** When a payment of a network is stuck, and how often it is replaced. */
export type ReplacementTerms = {
  /** Seconds in which no block takes it; twice as long after each replacement. */
  replaceAfterSeconds: number;
  maxReplacements: number;
};

/** `ckm` says how a person is asked for an email before the order (spec §4). */
export type PairTerms = {
  floatingFeeBps: bigint;
  fixedFeeBps: bigint;
  spreadBps: bigint;
  ckm: "A" | "B" | "D";
  hasFixedRate: boolean;
};

/** The terms of every order (contract §2, §3). */
export type OwnTerms = {
  quoteValidSeconds: number;
  rateLockSeconds: number;
  volatilityBps: bigint;
  dustBps: bigint;
  floatingToleranceBps: bigint;
  /** The most that unpaid fixed orders of one pair may promise, in USD (engine law 13). */
  fixedExposureUsd: string;
  /** The part of it that one client may take with several orders. */
  fixedClientShareBps: bigint;
  offerValidSeconds: number;
  offerToleranceBps: bigint;
  /** Seconds from creation, or from the end of the rate lock, to the end of an order that nobody paid. */
  unpaidExpiresAfter: number;
  /** A smaller deposit is not counted. */
  strayMinUsd: string;
  /** How long a refund to an address that was not given at creation waits. */
  refundDelaySeconds: number;
  /** The instrument that earnings are counted and withdrawn in. */
  earningsSlug: string;
  /** Shares of our fee: the referrer's, and the cashback of a customer with an account. */
  affiliateShareBps: bigint;
  cashbackBps: bigint;
  withdrawalMinUsdt: string;
  /** A withdrawal above the first amount waits for an operator; so does one above the second to a new address. */
  withdrawalReviewUsd: string;
  withdrawalNewAddressUsd: string;
  /** Withdrawals that one account, and one client, may ask for in a day. */
  withdrawalsPerDay: number;
  /** What a sweep may cost at most of what it moves, with all that its address is given for gas. */
  sweepMaxCostBps: bigint;
};

export type Catalogue = {
  /** By slug, in the order of the file. */
  instruments: ReadonlyMap<string, CatalogueInstrument>;
  slugs: ReadonlySet<string>;
  /** By network title. */
  networks: ReadonlyMap<string, NetworkPace & ReplacementTerms>;
  defaultPair: { from: string; to: string };
  terms: OwnTerms;
  /** False for one slug twice and for slugs that are unknown or not traded; says nothing of prices and stops. */
  isPairActive(from: string, to: string): boolean;
  /** Those of the file for the pair, and its defaults for the rest; also for a pair that is not traded. */
  pairTerms(from: string, to: string): PairTerms;
};
