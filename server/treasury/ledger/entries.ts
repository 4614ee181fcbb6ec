import type { LedgerAccount, LedgerEntry, WalletAccount } from "../port.ts";

const move = (slug: string, amount: bigint, from: LedgerAccount, to: LedgerAccount): LedgerEntry[] => [
  { account: from, slug, amount: -amount },
  { account: to, slug, amount },
];

/** A credited deposit: value came in from the chain and is owed to the order. */
export const depositEntries = (slug: string, amount: bigint): LedgerEntry[] =>
  move(slug, amount, "deposits", "customers");

/** The exchange itself: the treasury takes the customer's coins and owes the customer the others, less the fees. */
export const exchangeEntries = (
  from: { slug: string; received: bigint },
  to: { slug: string; amount: bigint; platformFee: bigint; networkFee: bigint },
): LedgerEntry[] => [
  ...move(from.slug, from.received, "customers", "treasury"),
  ...move(to.slug, to.amount, "treasury", "customers"),
  ...move(to.slug, to.platformFee + to.networkFee, "treasury", "revenue"),
];

/** The network fee of a refund is taken from the deposit; the rest stays owed until it is sent. */
export const refundEntries = (slug: string, networkFee: bigint): LedgerEntry[] =>
  move(slug, networkFee, "customers", "revenue");

/** The chain shows that an order was paid more, or less, than was decided later: the customer is owed what was paid. */
export const correctedPayoutEntries = (slug: string, difference: bigint): LedgerEntry[] =>
  move(slug, difference, "treasury", "customers");

/** The same of a refund: what it differs by is the fee that was charged for it. */
export const correctedRefundEntries = (slug: string, difference: bigint): LedgerEntry[] =>
  move(slug, difference, "revenue", "customers");

/** A payment that the chain shows: what was owed has left. */
export const payoutEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "customers", "hot");

/** The network fee of a payment. */
export const networkFeeEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "treasury", "hot");

/** What is owed and about to leave: set aside, so that nothing else can be paid from it. */
export const holdEntries = (slug: string, amount: bigint, of: LedgerAccount): LedgerEntry[] =>
  move(slug, amount, of, "held");

/** What was set aside has left, but for the fee that the customer was charged. */
export const settleEntries = (slug: string, amount: bigint, fee: bigint): LedgerEntry[] => [
  ...move(slug, amount - fee, "held", "hot"),
  ...move(slug, fee, "held", "revenue"),
];

/** What was set aside has left as another coin: it is ours, but for the fee, and the treasury has paid for it. */
export const settledInEntries = (
  slug: string,
  { amount, fee }: { amount: bigint; fee: bigint },
  paid: { slug: string; amount: bigint },
): LedgerEntry[] => [
  ...move(slug, amount - fee, "held", "treasury"),
  ...move(slug, fee, "held", "revenue"),
  ...move(paid.slug, paid.amount, "treasury", "hot"),
];

/** What was set aside for a payment that nobody gets is ours. */
export const unsentEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "held", "treasury");

/** What was set aside is owed as before, because it will not leave. */
export const releaseEntries = (slug: string, amount: bigint, of: LedgerAccount): LedgerEntry[] =>
  move(slug, amount, "held", of);

/** The same entries reversed: what is posted stays, and a correction follows it (engine law 10). */
export const reversedEntries = (entries: readonly LedgerEntry[]): LedgerEntry[] =>
  entries.map((entry) => ({ ...entry, amount: -entry.amount }));

/** What lay on a deposit address, moved to the hot wallet. */
export const sweepEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "hot", "deposits");

/** The network fee of a sweep, which the deposit address pays itself. */
export const sweepFeeEntries = (slug: string, amount: bigint): LedgerEntry[] =>
  move(slug, amount, "treasury", "deposits");

/** Coins that the hot wallet sent to a deposit address, for the gas of its sweep. */
export const gasEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "deposits", "hot");

/** Coins that the hot wallet held at the first start, or that an operator has added since. */
export const openingEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "hot", "treasury");

/** Coins in the hot wallet that the books do not explain. */
export const suspenseEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "hot", "suspense");

/** What two operators agree that these are: ours, or below zero what was sent back by hand. */
export const suspenseEndEntries = (slug: string, amount: bigint): LedgerEntry[] =>
  amount > 0n ? move(slug, amount, "suspense", "treasury") : move(slug, -amount, "suspense", "hot");

/** What an order's partner was sent. */
export const fundingEntries = (slug: string, amount: bigint): LedgerEntry[] => move(slug, amount, "partners", "hot");

/** A partner has delivered: what it was sent is spent, and what remains of the customer's coins is our fee. */
export const partnerExchangeEntries = (slug: string, received: bigint, funding: bigint): LedgerEntry[] => [
  ...move(slug, funding, "customers", "partners"),
  ...move(slug, received - funding, "customers", "revenue"),
];

/** A partner has sent back: what is missing is our loss, the customer is owed as before. */
export const partnerReturnEntries = (slug: string, funding: bigint, returned: bigint): LedgerEntry[] => [
  ...move(slug, returned, "deposits", "partners"),
  ...move(slug, funding - returned, "treasury", "partners"),
];

/** A partner's unexpected payment. */
export const partnerSurplusEntries = (slug: string, amount: bigint): LedgerEntry[] =>
  move(slug, amount, "deposits", "treasury");

/** A deposit that nobody is owed, booked as ours. */
export const writeOffEntries = (slug: string, amount: bigint): LedgerEntry[] =>
  move(slug, amount, "deposits", "treasury");

/** What the chain holds more, or less, than the ledger says: booked to our own capital once two operators agree. */
export const adjustmentEntries = (slug: string, amount: bigint, account: "hot" | "deposits"): LedgerEntry[] =>
  move(slug, amount, account, "treasury");

/** The ledger's account of what an account is owed. */
export const walletOf = (userId: bigint): WalletAccount => `wallet:${userId}`;

/** An account has earned something, or is given it. */
export const creditEntries = (slug: string, amount: bigint, userId: bigint): LedgerEntry[] =>
  move(slug, amount, "treasury", walletOf(userId));

/** What was credited is taken back; what the wallet has no longer is our loss. */
export const takeBackEntries = (
  slug: string,
  { amount, lost }: { amount: bigint; lost: bigint },
  userId: bigint,
): LedgerEntry[] => [
  ...move(slug, amount - lost, walletOf(userId), "treasury"),
  ...move(slug, lost, "losses", "treasury"),
];

/** What one account is owed is owed to another, because the two are one now. */
export const joinEntries = (slug: string, amount: bigint, from: bigint, to: bigint): LedgerEntry[] =>
  move(slug, amount, walletOf(from), walletOf(to));
