import {
  displayedUnit,
  divideDown,
  divideUp,
  powerOfTen,
  ratio,
  toMinor,
  WHOLE_BPS,
  type Minor,
} from "#contract/money.ts";

/** One side of a pair: its precision and its USD price, scaled by 10^18. */
export type QuoteSide = { decimals: number; priceUsd: bigint };

export type QuoteTerms = {
  from: QuoteSide;
  to: QuoteSide;
  /** Our share of the market value, in hundredths of a percent. */
  platformFeeBps: bigint;
  /** A margin on the market price; included in the displayed platform fee, so that the sum adds up. */
  spreadBps: bigint;
  /** What sending the payout costs, in minor units of the receiving instrument. */
  networkFee: Minor<"to">;
};

export type QuoteRequest = { side: "from"; amount: Minor<"from"> } | { side: "to"; amount: Minor<"to"> };

/** `gross − platformFee − networkFee = amountTo`, exactly; `price` is amountTo per amountFrom as a decimal. */
export type Quote = {
  amountFrom: Minor<"from">;
  gross: Minor<"to">;
  platformFee: Minor<"to">;
  networkFee: Minor<"to">;
  amountTo: Minor<"to">;
  price: string;
};

/**
 * The price of a pair, in both directions (contract §2). What is paid is rounded down, what is charged is rounded up
 * (engine law 9). Null when the fees exceed the amount.
 */
export function quote(terms: QuoteTerms, ask: QuoteRequest): Quote | null {
  return ask.side === "from" ? quoteExactFrom(terms, ask.amount) : quoteExactTo(terms, ask.amount);
}

/** The market value of an amount in the other instrument, before any fee, rounded down. */
export function marketValue(from: QuoteSide, to: QuoteSide, amount: bigint): bigint {
  return divideDown(amount * from.priceUsd * powerOfTen(to.decimals), to.priceUsd * powerOfTen(from.decimals));
}

function quoteExactFrom(terms: QuoteTerms, amountFrom: Minor<"from">): Quote | null {
  const gross = roundDown(marketValue(terms.from, terms.to, amountFrom), terms.to);
  const fee = divideUp(gross * (terms.platformFeeBps + terms.spreadBps), WHOLE_BPS);
  const amountTo = roundDown(gross - fee - terms.networkFee, terms.to);
  return amountTo > 0n ? assemble(terms, amountFrom, gross, toMinor(amountTo)) : null;
}

function quoteExactTo(terms: QuoteTerms, amountTo: Minor<"to">): Quote | null {
  if (amountTo <= 0n) return null;
  const rest = WHOLE_BPS - terms.platformFeeBps - terms.spreadBps;
  const gross = roundUp(divideUp((amountTo + terms.networkFee) * WHOLE_BPS, rest), terms.to);
  const asked = divideUp(
    gross * terms.to.priceUsd * powerOfTen(terms.from.decimals),
    terms.from.priceUsd * powerOfTen(terms.to.decimals),
  );
  return assemble(terms, toMinor(roundUp(asked, terms.from)), gross, amountTo);
}

function assemble(terms: QuoteTerms, amountFrom: Minor<"from">, gross: bigint, amountTo: Minor<"to">): Quote {
  return {
    amountFrom,
    gross: toMinor(gross),
    platformFee: toMinor(gross - terms.networkFee - amountTo),
    networkFee: terms.networkFee,
    amountTo,
    price: ratio(amountTo * powerOfTen(terms.from.decimals), amountFrom * powerOfTen(terms.to.decimals)),
  };
}

const roundDown = (amount: bigint, side: QuoteSide): bigint =>
  divideDown(amount, displayedUnit(side.decimals)) * displayedUnit(side.decimals);
const roundUp = (amount: bigint, side: QuoteSide): bigint =>
  divideUp(amount, displayedUnit(side.decimals)) * displayedUnit(side.decimals);

/** `liquidityProviderPublicCode` of our own treasury on the wire. */
export const OWN_LIQUIDITY = "treasury";

/** What a partner delivers for some amounts, smallest first. Between two of them it is a straight line; outside nothing is known. */
export type Curve = readonly { amountFrom: bigint; amountTo: bigint }[];
export type PartnerOffer = { partner: string; curve: Curve };

/** The key of a partner's quote for a pair in a snapshot. */
export const offerKey = (partner: string, from: string, to: string): string => `${partner} ${from} ${to}`;

/** What partners quote for a pair. */
export function offersFor(curves: ReadonlyMap<string, Curve> | undefined, from: string, to: string): PartnerOffer[] {
  return [...(curves ?? [])].flatMap(([key, curve]) => {
    const [partner = "", fromSlug, toSlug] = key.split(" ");
    return fromSlug === from && toSlug === to ? [{ partner, curve }] : [];
  });
}

export type PartnerTerms = {
  from: QuoteSide;
  to: QuoteSide;
  /** Our share of the deposit, spread included, in hundredths of a percent. */
  feeBps: bigint;
  /** What sending the deposit on to the partner costs, in minor units of the sending instrument. */
  sendingFee: bigint;
};

/** A quote that a partner fills: `funding` is what it is sent. */
export type PartnerQuote = { partner: string; quote: Quote; funding: Minor<"from"> };

/**
 * What arrives when a partner is sent `amountFrom`, rounded down; null outside of what it quoted.
 *
 * @internal Exported for its tests.
 */
export function amountToOf(curve: Curve, amountFrom: bigint): bigint | null {
  const [low, high] = segment(curve, (point) => point.amountFrom >= amountFrom);
  if (!low || !high || amountFrom < low.amountFrom) return null;
  if (low === high) return low.amountTo;
  return (
    low.amountTo +
    divideDown((amountFrom - low.amountFrom) * (high.amountTo - low.amountTo), high.amountFrom - low.amountFrom)
  );
}

/**
 * What a partner has to be sent so that `amountTo` arrives, rounded up; null outside of what it quoted.
 *
 * @internal Exported for its tests.
 */
export function amountFromOf(curve: Curve, amountTo: bigint): bigint | null {
  const [low, high] = segment(curve, (point) => point.amountTo >= amountTo);
  if (!low || !high || amountTo < low.amountTo) return null;
  if (low === high) return low.amountFrom;
  return (
    low.amountFrom +
    divideUp((amountTo - low.amountTo) * (high.amountFrom - low.amountFrom), high.amountTo - low.amountTo)
  );
}

/** The two neighbours of the first point that reaches far enough. */
function segment(curve: Curve, reaches: (point: Curve[number]) => boolean): [Curve[number]?, Curve[number]?] {
  const at = curve.findIndex(reaches);
  return at === -1 ? [] : [curve[Math.max(0, at - 1)], curve[at]];
}

/**
 * The price of an exchange that a partner fills: the fee and the cost of sending it on are taken from the deposit, the rest
 * goes to the partner, and what that delivers is what the customer gets. Null where the partner doesn't quote the amount.
 */
export function partnerQuote(terms: PartnerTerms, offer: PartnerOffer, ask: QuoteRequest): PartnerQuote | null {
  return ask.side === "from" ? partnerExactFrom(terms, offer, ask.amount) : partnerExactTo(terms, offer, ask.amount);
}

function partnerExactFrom(
  terms: PartnerTerms,
  { partner, curve }: PartnerOffer,
  amountFrom: Minor<"from">,
): PartnerQuote | null {
  const funding = roundDown(amountFrom - divideUp(amountFrom * terms.feeBps, WHOLE_BPS) - terms.sendingFee, terms.from);
  const amountTo = funding > 0n ? amountToOf(curve, funding) : null;
  if (amountTo === null) return null;
  const rounded = roundDown(amountTo, terms.to);
  return rounded > 0n
    ? { partner, quote: assemblePartner(terms, amountFrom, toMinor(rounded)), funding: toMinor(funding) }
    : null;
}

function partnerExactTo(
  terms: PartnerTerms,
  { partner, curve }: PartnerOffer,
  amountTo: Minor<"to">,
): PartnerQuote | null {
  const funding = amountTo > 0n ? amountFromOf(curve, amountTo) : null;
  if (funding === null) return null;
  const whole = roundUp(funding, terms.from);
  const amountFrom = roundUp(divideUp((whole + terms.sendingFee) * WHOLE_BPS, WHOLE_BPS - terms.feeBps), terms.from);
  return { partner, quote: assemblePartner(terms, toMinor(amountFrom), amountTo), funding: toMinor(whole) };
}

/** The parts add up as those of an own quote; a partner above the market leaves a smaller fee, never a negative one. */
function assemblePartner(terms: PartnerTerms, amountFrom: Minor<"from">, amountTo: Minor<"to">): Quote {
  const networkFee = roundUp(marketValue(terms.from, terms.to, terms.sendingFee), terms.to);
  const worth = roundDown(marketValue(terms.from, terms.to, amountFrom), terms.to);
  const gross = worth > amountTo + networkFee ? worth : amountTo + networkFee;
  return {
    amountFrom,
    gross: toMinor(gross),
    platformFee: toMinor(gross - networkFee - amountTo),
    networkFee: toMinor(networkFee),
    amountTo,
    price: ratio(amountTo * powerOfTen(terms.from.decimals), amountFrom * powerOfTen(terms.to.decimals)),
  };
}

/** Best for the customer: the most that arrives for what is sent, or the least to send for what arrives. The first of equals wins. */
export function bestQuote<One extends { quote: Quote }>(quotes: readonly One[], ask: QuoteRequest): One | null {
  const isBetter = (one: Quote, other: Quote) =>
    ask.side === "from"
      ? one.amountTo > other.amountTo
      : one.amountFrom < other.amountFrom || (one.amountFrom === other.amountFrom && one.amountTo > other.amountTo);
  return quotes.reduce<One | null>(
    (found, one) => (found === null || isBetter(one.quote, found.quote) ? one : found),
    null,
  );
}
