import { divideDown, divideUp, powerOfTen, ratio, toMinor, type Minor } from "#contract/money.ts";
import { marketValue, type Ask, type Quote, type QuoteSide } from "../rates/quote.ts";

/** `liquidityProviderPublicCode` of the own treasury. */
export const HOUSE = "house";

/** What a partner delivers for some amounts, smallest first. Between two of them it is a straight line; outside nothing is known. */
export type Curve = readonly { give: bigint; get: bigint }[];
export type PartnerOffer = { partner: string; curve: Curve };

/** Where a snapshot keeps what a partner quotes for a pair. */
export const offerKey = (partner: string, from: string, to: string): string => `${partner} ${from} ${to}`;

/** What partners quote for a pair. */
export function offersFor(curves: ReadonlyMap<string, Curve> | undefined, from: string, to: string): PartnerOffer[] {
  return [...(curves ?? [])].flatMap(([key, curve]) => {
    const [partner = "", give, get] = key.split(" ");
    return give === from && get === to ? [{ partner, curve }] : [];
  });
}

export type PartnerTerms = {
  give: QuoteSide;
  get: QuoteSide;
  /** What the house takes of the deposit, spread included, in hundredths of a percent. */
  feeBps: bigint;
  /** What sending the deposit on to the partner costs, in minor units of the sending instrument. */
  sendingFee: bigint;
};

/** A quote that a partner fills: `funding` is what it is sent. */
export type PartnerQuote = { partner: string; quote: Quote; funding: Minor<"give"> };

const BPS = 10_000n;
/** Finer decimals are never shown, and partners don't take them. */
const SHOWN_DECIMALS = 8;

/** What arrives when a partner is sent `give`, rounded down; null outside of what it quoted. */
export function delivered(curve: Curve, give: bigint): bigint | null {
  const [low, high] = segment(curve, (point) => point.give >= give);
  if (!low || !high || give < low.give) return null;
  if (low === high) return low.get;
  return low.get + divideDown((give - low.give) * (high.get - low.get), high.give - low.give);
}

/** What a partner has to be sent so that `get` arrives, rounded up; null outside of what it quoted. */
export function needed(curve: Curve, get: bigint): bigint | null {
  const [low, high] = segment(curve, (point) => point.get >= get);
  if (!low || !high || get < low.get) return null;
  if (low === high) return low.give;
  return low.give + divideUp((get - low.get) * (high.give - low.give), high.get - low.get);
}

/** The two neighbours of the first point that reaches far enough. */
function segment(curve: Curve, reaches: (point: Curve[number]) => boolean): [Curve[number]?, Curve[number]?] {
  const at = curve.findIndex(reaches);
  return at === -1 ? [] : [curve[Math.max(0, at - 1)], curve[at]];
}

/**
 * The house's price for an exchange that a partner fills: the fee and the cost of sending it on are taken from the deposit, the rest
 * goes to the partner, and what that delivers is what the customer gets. Null where the partner doesn't quote the amount.
 */
export function partnerQuote(terms: PartnerTerms, offer: PartnerOffer, ask: Ask): PartnerQuote | null {
  return ask.side === "give" ? quoteGive(terms, offer, ask.amount) : quoteGet(terms, offer, ask.amount);
}

function quoteGive(terms: PartnerTerms, { partner, curve }: PartnerOffer, give: Minor<"give">): PartnerQuote | null {
  const funding = roundDown(give - divideUp(give * terms.feeBps, BPS) - terms.sendingFee, terms.give);
  const get = funding > 0n ? delivered(curve, funding) : null;
  if (get === null) return null;
  const shown = roundDown(get, terms.get);
  return shown > 0n ? { partner, quote: assemble(terms, give, toMinor(shown)), funding: toMinor(funding) } : null;
}

function quoteGet(terms: PartnerTerms, { partner, curve }: PartnerOffer, get: Minor<"get">): PartnerQuote | null {
  const funding = get > 0n ? needed(curve, get) : null;
  if (funding === null) return null;
  const whole = roundUp(funding, terms.give);
  const give = roundUp(divideUp((whole + terms.sendingFee) * BPS, BPS - terms.feeBps), terms.give);
  return { partner, quote: assemble(terms, toMinor(give), get), funding: toMinor(whole) };
}

/** The parts of the price add up as the house's own do; a partner that beats the market leaves a smaller fee, never a negative one. */
function assemble(terms: PartnerTerms, give: Minor<"give">, get: Minor<"get">): Quote {
  const networkFee = roundUp(marketValue(terms.give, terms.get, terms.sendingFee), terms.get);
  const worth = roundDown(marketValue(terms.give, terms.get, give), terms.get);
  const gross = worth > get + networkFee ? worth : get + networkFee;
  return {
    give,
    gross: toMinor(gross),
    platformFee: toMinor(gross - networkFee - get),
    networkFee: toMinor(networkFee),
    get,
    price: ratio(get * powerOfTen(terms.give.decimals), give * powerOfTen(terms.get.decimals)),
  };
}

/** Best for the customer: the most that arrives for what is sent, or the least to send for what arrives. The first of equals wins. */
export function best<One extends { quote: Quote }>(quotes: readonly One[], ask: Ask): One | null {
  const isBetter = (one: Quote, other: Quote) =>
    ask.side === "give"
      ? one.get > other.get
      : one.give < other.give || (one.give === other.give && one.get > other.get);
  return quotes.reduce<One | null>(
    (found, one) => (found === null || isBetter(one.quote, found.quote) ? one : found),
    null,
  );
}

const shownUnit = (side: QuoteSide): bigint => powerOfTen(Math.max(0, side.decimals - SHOWN_DECIMALS));
const roundDown = (amount: bigint, side: QuoteSide): bigint => divideDown(amount, shownUnit(side)) * shownUnit(side);
const roundUp = (amount: bigint, side: QuoteSide): bigint => divideUp(amount, shownUnit(side)) * shownUnit(side);
