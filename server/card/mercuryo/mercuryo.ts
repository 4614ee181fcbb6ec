import * as z from "zod";
import {
  divideDown,
  divideUp,
  formatAmount,
  parseAmount,
  powerOfTen,
  WHOLE_BPS,
  maxOf,
  minOf,
} from "#contract/money.ts";
import { CardProviderError, type CardPair, type CardProvider, type CardQuote } from "../port.ts";
import { createAnswerCache } from "../answer-cache.ts";
import { mercuryoHttp, MercuryoRefusal, type MercuryoHttp, type MercuryoOptions } from "./http.ts";
import { isTraded, networkQuery, sidesOf } from "./networks.ts";
import { furthestNews, readCallback, transactionsSchema } from "./news.ts";
import { openCard } from "./open.ts";

const SUPPORT_URL = "https://help.mercuryo.io";
const TERMS_URL = "https://mercuryo.io/legal/terms/";
const PRIVACY_URL = "https://mercuryo.io/legal/privacy/";
/** Of amounts and rates, finer than any that is answered. */
const RATE_DECIMALS = 18;
const CLEAR_RATES_MS = 10_000;
/** "User not found" (BAAS API, "Passing KYC"). */
const USER_NOT_FOUND = "403004";

const decimal = z.string().max(80);
const rateSchema = z.object({ amount: decimal, fiat_amount: decimal });
const limitsSchema = z.record(z.string(), z.object({ min: decimal, max: decimal.nullish() }));
const clearRatesSchema = z.object({
  buy: z.record(z.string(), z.record(z.string(), decimal)),
  sell: z.record(z.string(), z.record(z.string(), decimal)).optional(),
});
const tokenSchema = z.object({ bearer_token: z.string().min(1).max(4096) });
const contactsSchema = z.object({ email_status: z.string().max(64) });
const featuresSchema = z.object({
  features: z.array(z.object({ feature: z.string().max(64), status: z.string().max(64) })),
});
const accessTokenSchema = z.object({
  kyc_access_token: z.string().min(1).max(4096),
  applicant_id: z.string().max(256).nullish(),
});

/**
 * Mercuryo by its public documents: rates, limits and transactions of the Widget API v1.6, users, verification and orders of the BAAS API
 * (`b2b/…`), callbacks as both describe them.
 */
export function createMercuryo(options: MercuryoOptions, http: MercuryoHttp = mercuryoHttp(options)): CardProvider {
  const pages = options.pagesUrl.replace(/\/$/, "");
  const widget = (query: Record<string, string>) => ({ query: { ...query, widget_id: options.widgetId } });

  // One answer has the rates of all pairs.
  const clearRates = createAnswerCache<z.infer<typeof clearRatesSchema>>(CLEAR_RATES_MS);

  /** What a coin costs without any fee, in the fiat currency, scaled. */
  const clearRate = async ({ direction, coin, fiat }: CardPair): Promise<bigint> => {
    const rates = await clearRates("", () => http.call("GET", "widget/rates/fee-off", clearRatesSchema, widget({})));
    const table = (direction === "sell" ? rates.sell : undefined) ?? rates.buy;
    return readDecimal(table[coin.currencyTitle]?.[fiat.currencyTitle], RATE_DECIMALS);
  };

  return {
    code: "mercuryo",
    name: "Mercuryo",
    supportUrl: SUPPORT_URL,
    termsUrl: TERMS_URL,
    privacyUrl: PRIVACY_URL,
    methods: ["Visa", "Mastercard"],
    origins: [new URL(pages).origin],
    trades: isTraded,

    async quote(pair, amountFrom) {
      const { direction, coin, fiat } = pair;
      const [from, to] = sidesOf(pair);
      const query = {
        from: from.currencyTitle,
        to: to.currencyTitle,
        amount: formatAmount(amountFrom, from.decimals),
        ...networkQuery(coin),
      };
      const [rate, clear] = await Promise.all([
        http.call("GET", `widget/${direction}/rate`, rateSchema, widget(query)),
        clearRate(pair),
      ]);
      const coins = readDecimal(rate.amount, coin.decimals);
      const money = readDecimal(rate.fiat_amount, fiat.decimals);
      return quoteOf(
        pair,
        direction === "buy" ? { amountFrom, coins, money: amountFrom } : { amountFrom, coins: amountFrom, money },
        clear,
        options.feeBps,
      );
    },

    async limits(pair) {
      const [from] = sidesOf(pair);
      const query = {
        from: pair.fiat.currencyTitle,
        to: pair.coin.currencyTitle,
        type: pair.direction,
        ...networkQuery(pair.coin),
      };
      const limits = await http.call("GET", "public/currency-limits", limitsSchema, widget(query));
      const own = limits[from.currencyTitle];
      if (own === undefined) throw new CardProviderError("public/currency-limits has no limits of what is sent");
      return {
        min: readDecimal(own.min, from.decimals, "up"),
        max: own.max == null ? null : readDecimal(own.max, from.decimals),
      };
    },

    async signUp(email) {
      try {
        await http.call("POST", "b2b/user/sign-up", z.unknown(), { body: { accept: true, email } });
        return true;
      } catch (error) {
        // A known email is a 400 of its own; every other wrong one was refused by us before.
        if (error instanceof MercuryoRefusal && error.httpStatus === 400) return false;
        throw error;
      }
    },

    async signIn(email) {
      try {
        return (await http.call("POST", "b2b/user/sign-in", tokenSchema, { body: { email } })).bearer_token;
      } catch (error) {
        if (error instanceof MercuryoRefusal && (error.httpStatus === 404 || error.code === USER_NOT_FOUND))
          return null;
        throw error;
      }
    },

    async contacts(token) {
      const { email_status: emailStatus } = await http.call("GET", "b2b/user/contacts", contactsSchema, { token });
      return { emailStatus };
    },
    features: async (token) => (await http.call("GET", "b2b/user/kyc-status", featuresSchema, { token })).features,

    async accessToken(token, feature) {
      const answer = await http.call("GET", "b2b/kyc/access-token", accessTokenSchema, { token, query: { feature } });
      const url = new URL(`${pages}/kyc`);
      url.searchParams.set("access_token", answer.kyc_access_token);
      return { token: answer.kyc_access_token, applicantId: answer.applicant_id ?? null, url: url.href };
    },

    open: (request) => openCard(http, pages, request),

    async status(merchantId, direction) {
      const listed = await http.call(
        "GET",
        "widget/transactions",
        transactionsSchema,
        widget({ merchant_transaction_id: merchantId }),
      );
      try {
        return furthestNews(listed, merchantId, direction);
      } catch (error) {
        throw new CardProviderError("widget/transactions has a status that can't be read", { cause: error });
      }
    },

    callback: (rawBody, signature) => readCallback(rawBody, signature, options.secret),
  };
}

/** A decimal in minor units; what is finer is cut off, or rounded up. */
function readDecimal(text: string | undefined, decimals: number, rounded: "down" | "up" = "down"): bigint {
  const exact = text === undefined ? null : parseAmount(text, 80);
  if (exact === null || exact <= 0n) throw new CardProviderError("an amount can't be read");
  return (rounded === "down" ? divideDown : divideUp)(exact, powerOfTen(80 - decimals));
}

/**
 * The fees are what Mercuryo's own clear rate leaves between what is paid and what the coins are worth. `money` is in minor units of the fiat
 * instrument.
 */
function quoteOf(
  { direction, coin, fiat }: CardPair,
  { amountFrom, coins, money }: { amountFrom: bigint; coins: bigint; money: bigint },
  clear: bigint,
  feeBps: bigint,
): CardQuote {
  const worth = divideDown(coins * clear * powerOfTen(fiat.decimals), powerOfTen(coin.decimals + RATE_DECIMALS));
  const marketValue = direction === "buy" ? minOf(worth, money) : maxOf(worth, money);
  const fees = direction === "buy" ? money - marketValue : marketValue - money;
  const platform = minOf(divideUp(money * feeBps, WHOLE_BPS), fees);
  return {
    amountFrom,
    amountTo: direction === "buy" ? coins : money,
    fees: { processing: fees - platform, platform, network: 0n },
    marketValue,
  };
}
