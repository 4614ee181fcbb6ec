import { CodedError } from "#contract/errors.ts";
import { divideUp, formatAmount, ratio } from "#contract/money.ts";
import type { PairData, RateRequest } from "#contract/rate.ts";
import { PRICE_DECIMALS, readAmount, type Catalogue, type CatalogueInstrument } from "../catalogue/index.ts";
import type { BucketClient } from "../base/concurrency/token-buckets.ts";
import type { Clock } from "../base/clock.ts";
import type { Rates } from "../rates/port.ts";
import { withProviderErrors } from "./provider-errors.ts";
import { cutMinor, feeIn, isWithin, keyOf, priceOf, sides } from "./card-sums.ts";
import { tooManyQuestions, createRateLimits, type Asker } from "./provider-limits.ts";
import { createAnswerCache } from "./answer-cache.ts";
import type { CardLimits, CardPair, CardProvider, CardQuote, CardRates, PricedCard } from "./port.ts";

/** Providers ask for no more than one question about a rate in ten seconds. */
const QUOTE_VALID_MS = 10_000;
const LIMITS_VALID_MS = 60_000;
/** An answer so old is shown where nothing more may be asked now; no order is made by it. */
const STALE_MS = 60_000;
const STALE_LIMITS_MS = 600_000;
/** A reverse quote is found by asking for what should be sent, which is corrected by what the answer lacks. */
const REVERSE_STEPS = 4;

export type CardRatesParts = {
  provider: CardProvider;
  catalogue: Catalogue;
  rates: Pick<Rates, "instrument" | "priceUsd">;
  clock: Clock;
  /** In the fiat currency. */
  noKycThreshold: string;
  /** Of one client to the provider. */
  questionsPerMinute: number;
  /** Whether orders for the coin are taken now. */
  isStopped(coin: CatalogueInstrument, direction: CardPair["direction"]): boolean;
};

/** Nobody waits for it. */
const NOBODY: Asker = { client: null, isOrder: false };
const FIXED_REFUSED = () => new CodedError("ERR_NOT_ACCEPTABLE", "A card has no fixed rate");

/** Fiat rates, as the provider quotes them. Every failure is a CodedError. */
export function createCardRates(parts: CardRatesParts): CardRates {
  const { provider, catalogue, rates, clock } = parts;
  const quotes = createAnswerCache<{ quote: CardQuote; at: Date }>(QUOTE_VALID_MS, { staleMs: STALE_MS });
  const limits = createAnswerCache<CardLimits>(LIMITS_VALID_MS, { staleMs: STALE_LIMITS_MS });
  const mayAsk = createRateLimits(parts.questionsPerMinute);

  const limitsOf = (pair: CardPair, asker: Asker) =>
    limits(
      keyOf(pair),
      () => withProviderErrors(provider.limits(pair)),
      () => mayAsk(asker),
    );
  const quoteOf = (pair: CardPair, amountFrom: bigint, asker: Asker) =>
    quotes(
      `${keyOf(pair)} ${amountFrom}`,
      async () => ({ quote: await withProviderErrors(provider.quote(pair, amountFrom)), at: clock.now() }),
      () => {
        const may = mayAsk(asker);
        if (!may && asker.isOrder) throw tooManyQuestions();
        return may;
      },
    );

  const bounded = async (pair: CardPair, amountFrom: bigint, asker: Asker) => {
    const { min, max } = await limitsOf(pair, asker);
    const [from] = sides(pair);
    const refused = (code: "SMALL" | "BIG", bound: bigint) => {
      const expected = formatAmount(bound, from.decimals);
      return new CodedError(
        `ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_${code}`,
        `The ${code === "SMALL" ? "minimum" : "maximum"} is ${expected}`,
        { data: { expected, instrument: from.slug } },
      );
    };
    if (amountFrom < min) throw refused("SMALL", min);
    if (max !== null && amountFrom > max) throw refused("BIG", max);
    return { ...(await quoteOf(pair, amountFrom, asker)), limits: { min, max } };
  };

  /** The least to send for at least `amountTo`. */
  const reverse = async (pair: CardPair, amountTo: bigint, asker: Asker): Promise<bigint> => {
    const { min, max } = await limitsOf(pair, asker);
    const inside = (amount: bigint) => (amount < min ? min : max !== null && amount > max ? max : amount);
    let sent = min;
    for (let step = 0; step < REVERSE_STEPS; step += 1) {
      const { quote } = await quoteOf(pair, sent, asker);
      if (step > 0 && quote.amountTo >= amountTo) return sent;
      const needed = divideUp(sent * amountTo, quote.amountTo);
      if (inside(needed) !== needed) return needed;
      sent = needed;
    }
    return sent;
  };

  const dataOf = (
    pair: CardPair,
    { quote, at, limits: { min, max } }: Awaited<ReturnType<typeof bounded>>,
  ): PairData => {
    const [from, to] = sides(pair);
    const priceUsd = (slug: string) => {
      const price = rates.priceUsd(slug);
      if (price !== null) return price;
      throw new CodedError("ERR_SERVICE_UNAVAILABLE", "There is no market price to show at the moment", {
        retryAfterSeconds: 3,
      });
    };
    const [left, right] = [priceUsd(from.slug), priceUsd(to.slug)];
    const inFiat = (amount: bigint) => formatAmount(amount, pair.fiat.decimals);
    const inReceived = (fee: bigint) => formatAmount(feeIn(pair, quote, fee), to.decimals);
    const bounds = {
      minAmount: formatAmount(min, from.decimals),
      maxAmount: max === null ? null : formatAmount(max, from.decimals),
    };
    return {
      instrumentFrom: rates.instrument(from.slug),
      instrumentTo: rates.instrument(to.slug),
      liquidityProviderPublicCode: provider.code,
      amountToGive: formatAmount(quote.amountFrom, from.decimals),
      amountToGet: formatAmount(quote.amountTo, to.decimals),
      rateMode: "FLOATING",
      price: priceOf(pair, quote),
      marketLeftPrice: formatAmount(left, PRICE_DECIMALS),
      marketRightPrice: formatAmount(right, PRICE_DECIMALS),
      marketMinAmount: bounds.minAmount,
      generalMinAmount: bounds.minAmount,
      generalMaxAmount: bounds.maxAmount,
      quotes: { buyQuote: { quoteValue: ratio(left, right) }, sellQuote: { quoteValue: ratio(right, left) } },
      depositRules: bounds,
      finalNetworkFeeAmount: inReceived(quote.fees.network),
      platformFee_Absolute: inReceived(quote.fees.platform),
      claimedDepositAmount: formatAmount(quote.amountFrom, from.decimals),
      updatedAt: at.toISOString(),
      validUntil: null,
      ckm: "D",
      noKycThreshold: parts.noKycThreshold,
      card: {
        provider: provider.name,
        direction: pair.direction,
        fiat: pair.fiat.slug,
        fees: [
          { kind: "processing", amount: inFiat(quote.fees.processing) },
          { kind: "platform", amount: inFiat(quote.fees.platform) },
          { kind: "network", amount: inFiat(quote.fees.network) },
        ],
        marketValue: inFiat(quote.marketValue),
        methods: provider.methods,
        termsUrl: provider.termsUrl,
        privacyUrl: provider.privacyUrl,
      },
      estimatedSeconds: null,
    };
  };

  const pairOf = (fromSlug: string, toSlug: string): CardPair => {
    const [from, to] = [catalogue.instruments.get(fromSlug), catalogue.instruments.get(toSlug)];
    const known = (slug: string, field: string): CodedError =>
      new CodedError("ERR_VALIDATION", "The request is not valid", { data: { [field]: `${slug} is no instrument` } });
    if (from === undefined) throw known(fromSlug, "instrumentFromSlug");
    if (to === undefined) throw known(toSlug, "instrumentToSlug");
    const isBuy = from.instrumentType === "fiat";
    const [fiat, coin] = isBuy ? [from, to] : [to, from];
    const direction = isBuy ? "buy" : "sell";
    const isOpen =
      fiat.instrumentType === "fiat" &&
      coin.instrumentType !== "fiat" &&
      coin.isActive &&
      provider.trades(fiat) &&
      provider.trades(coin) &&
      !parts.isStopped(coin, direction);
    if (!isOpen) throw new CodedError("ERR_PAIR_NOT_ACTIVE", `${fromSlug} can't be exchanged to ${toSlug} by card now`);
    return { direction, fiat, coin };
  };

  const pairData = async (request: RateRequest, client: BucketClient | null = null): Promise<PairData> => {
    const asker = { client, isOrder: false };
    const pair = pairOf(request.instrumentFromSlug, request.instrumentToSlug);
    if (request.rateMode === "FIXED") throw FIXED_REFUSED();
    const [from, to] = sides(pair);
    const counted = request.claimedDepositAmountCurrency ?? from.slug;
    if (counted !== from.slug && counted !== to.slug)
      throw new CodedError("ERR_VALIDATION", "The request is not valid", {
        data: { claimedDepositAmountCurrency: "must be one of the pair's two instruments" },
      });
    const isReverse = counted === to.slug;
    const given = readAmount(requireIn(catalogue, counted), request.claimedDepositAmount, "claimedDepositAmount");
    const data = dataOf(pair, await bounded(pair, isReverse ? await reverse(pair, given, asker) : given, asker));
    return isReverse ? { ...data, claimedDepositAmount: request.claimedDepositAmount } : data;
  };

  const traded = [...catalogue.instruments.values()].filter(
    (one) => (one.isActive || one.instrumentType === "fiat") && provider.trades(one),
  );
  const [firstCoin] = traded.filter(({ instrumentType }) => instrumentType !== "fiat");
  const minima = new Map<string, string>();

  /** As last heard: a list waits for no provider, and one that does not answer has no bound to tell. */
  const minimumOf = (fiat: CatalogueInstrument): string | null => {
    if (firstCoin !== undefined)
      limitsOf({ direction: "buy", fiat, coin: firstCoin }, NOBODY).then(
        ({ min }) => minima.set(fiat.slug, formatAmount(min, fiat.decimals)),
        () => minima.delete(fiat.slug),
      );
    return minima.get(fiat.slug) ?? null;
  };

  return {
    pairData,
    listed: () =>
      traded.map((one) => ({
        ...rates.instrument(one.slug),
        ...(one.instrumentType === "fiat" && { cardMinAmount: minimumOf(one) }),
      })),
    async priceClaim(fromSlug, toSlug, amountFrom, claim, client): Promise<PricedCard> {
      const pair = pairOf(fromSlug, toSlug);
      const priced = await bounded(pair, amountFrom, { client, isOrder: true });
      if (!isWithin(claim, pair, priced.quote, catalogue.terms.floatingToleranceBps))
        throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The rate has changed", {
          data: { rate: dataOf(pair, priced) },
        });
      const { quote } = priced;
      const fiatAmount = pair.direction === "buy" ? quote.amountFrom : quote.amountTo;
      return {
        pair,
        quote,
        limits: priced.limits,
        price: priceOf(pair, quote),
        platformFee: feeIn(pair, quote, quote.fees.platform),
        networkFee: feeIn(pair, quote, quote.fees.network),
        needsVerification: fiatAmount >= cutMinor(parts.noKycThreshold, pair.fiat.decimals),
      };
    },
  };
}

const requireIn = (catalogue: Catalogue, slug: string): CatalogueInstrument => {
  const found = catalogue.instruments.get(slug);
  if (found === undefined) throw new RangeError(`${slug} is no instrument`);
  return found;
};
