import { divideDown, powerOfTen, WHOLE_BPS } from "#contract/money.ts";

/** An amount of an instrument, with its price in USD scaled by 10^18. */
type Priced = { decimals: number; priceUsd: bigint };

/** What is known of an order at the moment when it is completed. */
export type Completion = Parties & {
  /** Our fee, in minor units of the instrument that was paid out. */
  fee: Priced & { amount: bigint };
  /** What the partner adds to it for itself, in the same units. */
  markup: bigint;
  /** Whether its amounts are not what was quoted. */
  isDoubtful: boolean;
  /** What earnings are counted in. */
  currency: Priced;
  /** Whether the referrer has used the browser and the address that it was made with; of a guest's, and of an account that the referrer brought, the address alone counts, if lately. */
  isFromReferrersClient: boolean;
  /** Whether it is paid out, or goes back, to an address that the referrer's own orders or withdrawals used. */
  isToReferrersAddress: boolean;
  /** Whether the owner has referred the referrer in turn, directly or over one other account: at registration or by an order's link. */
  isMutual: boolean;
};

/** The accounts of an order; null where there is none. */
export type Parties = {
  /** Who made it while signed in. */
  ownerId: bigint | null;
  /** Who referred its owner, for life. */
  ownersReferrerId: bigint | null;
  /** Whose link the order itself carries. */
  ownReferrerId: bigint | null;
  /** Whose program made it for a customer. */
  partnerId: bigint | null;
};

type EarningTerms = { affiliateShareBps: bigint; cashbackBps: bigint };

/** Reviews of an accrual whose order seems to be the referrer's own. */
export const OWN_ORDER_REVIEWS = ["same_client", "same_address"] as const;

type Earning = {
  userId: bigint;
  source: "AFFILIATE" | "CASHBACK" | "MARKUP";
  /** In minor units of the currency. */
  amount: bigint;
  /** Why an operator looks at it first; null: it is credited at once. */
  review: "amounts" | (typeof OWN_ORDER_REVIEWS)[number] | "mutual_referral" | null;
};

/** Who an order accrues to: its owner's referrer, else that of its own link, never its owner (contract §9). */
export function referrerOf({ ownerId, ownersReferrerId, ownReferrerId }: Omit<Parties, "partnerId">): bigint | null {
  const referrer = ownersReferrerId ?? ownReferrerId;
  return referrer === ownerId ? null : referrer;
}

/** What a completed order earns, rounded down (contract §9). */
export function decideEarnings(completion: Completion, terms: EarningTerms): Earning[] {
  const doubt = completion.isDoubtful ? "amounts" : null;
  const share = (bps: bigint) => worthOf(completion, completion.fee.amount * bps);
  const referrer = referrerOf(completion);
  const earnings: Earning[] = [];
  if (referrer !== null)
    earnings.push({
      userId: referrer,
      source: "AFFILIATE",
      amount: share(terms.affiliateShareBps),
      review: doubt ?? suspicionOf(completion),
    });
  if (completion.ownerId !== null)
    earnings.push({ userId: completion.ownerId, source: "CASHBACK", amount: share(terms.cashbackBps), review: doubt });
  if (completion.partnerId !== null) {
    const amount = worthOf(completion, completion.markup * WHOLE_BPS);
    earnings.push({ userId: completion.partnerId, source: "MARKUP", amount, review: doubt });
  }
  return earnings.filter(({ amount }) => amount > 0n);
}

function suspicionOf(completion: Completion): Earning["review"] {
  const { isFromReferrersClient, isToReferrersAddress, isMutual } = completion;
  if (isFromReferrersClient) return "same_client";
  if (isToReferrersAddress) return "same_address";
  return isMutual ? "mutual_referral" : null;
}

/** In the currency; `amount` is in ten-thousandths of a minor unit of the fee. */
const worthOf = ({ fee, currency }: Completion, amount: bigint): bigint =>
  divideDown(
    amount * fee.priceUsd * powerOfTen(currency.decimals),
    WHOLE_BPS * currency.priceUsd * powerOfTen(fee.decimals),
  );
