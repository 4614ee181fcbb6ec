import type { LedgerEntry } from "./port.ts";

const move = (
  slug: string,
  amount: bigint,
  from: LedgerEntry["account"],
  to: LedgerEntry["account"],
): LedgerEntry[] => [
  { account: from, slug, amount: -amount },
  { account: to, slug, amount },
];

/** A credited deposit: value came in from the chain and is owed to the order. */
export const depositEntries = (slug: string, amount: bigint): LedgerEntry[] =>
  move(slug, amount, "deposits", "customers");

/** The exchange itself: the customer's coins become the house's, the house's become the customer's, less the fees. */
export const exchangeEntries = (
  give: { slug: string; received: bigint },
  get: { slug: string; amount: bigint; platformFee: bigint; networkFee: bigint },
): LedgerEntry[] => [
  ...move(give.slug, give.received, "customers", "house"),
  ...move(get.slug, get.amount, "house", "customers"),
  ...move(get.slug, get.platformFee + get.networkFee, "house", "revenue"),
];

/** What the way back costs is taken from the deposit; the rest stays owed until it is sent. */
export const refundEntries = (slug: string, networkFee: bigint): LedgerEntry[] =>
  move(slug, networkFee, "customers", "revenue");

/** A payment that the chain shows: what was owed has left. */
export const payoutEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "customers", "hot");

/** What the network took for it. */
export const networkFeeEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "house", "hot");

/** What lay on a deposit address, moved to the hot wallet. */
export const sweepEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "hot", "deposits");

/** What the network took for that: a deposit address pays for its own sweep. */
export const sweepFeeEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "house", "deposits");

/** Coins that the hot wallet sent to a deposit address, for the gas of its sweep. */
export const gasEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "deposits", "hot");

/** Stock that the house held before the books were opened, or that its owner has added since. */
export const openingEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "hot", "house");
