import type { AnswerOf } from "#contract/calls.ts";
import type { CardDirection, CardState } from "#contract/card.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { CreateOrderBody } from "#contract/order.ts";
import type { PairData, RateRequest } from "#contract/rate.ts";
import type { BucketClient } from "../base/concurrency/token-buckets.ts";
import type { SignedIn } from "../base/routes.ts";

/** An instrument as a provider needs it. */
export type CardInstrument = { slug: string; currencyTitle: string; networkTitle: string; decimals: number };

/** What is bought or sold: the fiat instrument is sent in a purchase, and received in a sale. */
export type CardPair = { direction: CardDirection; fiat: CardInstrument; coin: CardInstrument };

/**
 * What the customer sends and gets after all fees, each in its own minor units. The fees and `marketValue` are in minor units of the fiat
 * instrument and add up: a purchase's `marketValue` is `amountFrom` less the fees, a sale's less the fees is `amountTo`.
 */
export type CardQuote = {
  amountFrom: bigint;
  amountTo: bigint;
  fees: { processing: bigint; platform: bigint; network: bigint };
  marketValue: bigint;
};

/** In minor units of what is sent; `max` is null where there is none. */
export type CardLimits = { min: bigint; max: bigint | null };

/** What is asked of a provider when an order is opened. */
export type CardRequest = {
  pair: CardPair;
  /** Our id of the order, by which the provider finds it again. */
  merchantId: string;
  /** The provider's token of the user. */
  token: string;
  amountFrom: bigint;
  /** The customer's, in a purchase; in a sale where the coins return to, or null. */
  address: string | null;
  memo: string | null;
  /** Where the provider sends the browser back to. */
  returnUrl: string;
  locale: string;
};

/** `deposit` is the provider's address in a sale, and null in a purchase. */
export type OpenedCard = {
  reference: string;
  redirectUrl: string;
  deposit: { address: string; memo: string | null } | null;
};

/**
 * `refused`: nothing was opened, and the provider says why. `unknown`: no answer, or none that can be read; it may be open (engine law 6).
 */
export type CardOpening =
  | { kind: "opened"; order: OpenedCard }
  | { kind: "verification_needed" }
  | { kind: "refused"; reason: string }
  | { kind: "unknown"; reason: string };

/**
 * What a provider says of an order, as it stands now. Amounts are decimals as the provider wrote them: `fiatAmount` was charged or is
 * paid, `coinAmount` is sent or was taken; null where it doesn't say.
 */
export type CardNews = {
  merchantId: string;
  state: CardState;
  reference: string | null;
  fiat: string | null;
  fiatAmount: string | null;
  coin: string | null;
  coinAmount: string | null;
  txId: string | null;
};

/** A company that charges cards for coins, and pays to cards for them. */
export interface CardProvider {
  /** What `liquidityProviderPublicCode` and the query `providers` name. */
  readonly code: string;
  /** The provider's name as it is shown. */
  readonly name: string;
  readonly supportUrl: string;
  /** The provider's terms and its privacy policy. */
  readonly termsUrl: string;
  readonly privacyUrl: string;
  /** Cards that it takes. */
  readonly methods: readonly string[];
  /** The origins of its pages, which may be framed and opened. */
  readonly origins: readonly string[];
  /** Whether it sells and buys the instrument, or takes and pays the currency. */
  trades(instrument: CardInstrument): boolean;
  /** Prices what is sent. Throws `CardProviderError`. */
  quote(pair: CardPair, amountFrom: bigint): Promise<CardQuote>;
  /** Of one order, in minor units of what is sent. Throws `CardProviderError`. */
  limits(pair: CardPair): Promise<CardLimits>;
  /** False where the email is registered already. */
  signUp(email: string): Promise<boolean>;
  /** The user's token; null where the email is not registered. */
  signIn(email: string): Promise<string | null>;
  /** `emailStatus` is the provider's word: `EMAIL_CONFIRMED` once the email is confirmed. Throws `CardTokenError`, `CardProviderError`. */
  contacts(token: string): Promise<{ emailStatus: string }>;
  /** What its user may do; `FEATURE_COMPLETE` once the verification for it has passed. Throws as `contacts`. */
  features(token: string): Promise<readonly { feature: string; status: string }[]>;
  /** Opens the provider's verification for a feature, at `url`. Throws as `contacts`. */
  accessToken(token: string, feature: string): Promise<{ token: string; applicantId: string | null; url: string }>;
  /** May be repeated with the same `merchantId`: it never opens two. */
  open(request: CardRequest): Promise<CardOpening>;
  /** Null where it knows no such order. Throws `CardProviderError` while it can't say. */
  status(merchantId: string, direction: CardDirection): Promise<CardNews | null>;
  /** What a callback says; `forged` where its signature is not the provider's, `unreadable` where it is and says nothing. */
  callback(rawBody: string, signature: string | null): CardNews | "forged" | "unreadable";
}

/** A call to a provider failed, or its answer can't be read: the result is unknown. Says nothing of what was sent. */
export class CardProviderError extends Error {
  override name = "CardProviderError";
}

/** The provider refuses the user's token: the user signs in again. */
export class CardTokenError extends Error {
  override name = "CardTokenError";
}

/** What an order by card is made with: amounts in minor units, fees in what is received. */
export type PricedCard = {
  pair: CardPair;
  quote: CardQuote;
  limits: CardLimits;
  price: string;
  platformFee: bigint;
  networkFee: bigint;
  needsVerification: boolean;
};

/** Fiat rates (contract §11). Every failure is a CodedError. */
export type CardRates = {
  /** Both directions, at floating rates only. `client`: whose share of the request quota is used; null: nobody's. */
  pairData(request: RateRequest, client?: BucketClient | null): Promise<PairData>;
  /** What the provider trades, the fiat instruments included. */
  listed(): Instrument[];
  /** Prices an order again: the claim may differ by 2 % (contract §2). */
  priceClaim(
    fromSlug: string,
    toSlug: string,
    amountFrom: bigint,
    claim: CreateOrderBody["claimedPublicRate"],
    client: BucketClient,
  ): Promise<PricedCard>;
};

/** The account that asks, and the client whose share of the request quota is used. */
export type CardCaller = { account: SignedIn; client: BucketClient };

/**
 * The calls about the provider's users (spec §7 "On-ramp provider"); each is for the account that is signed in, with the email that it has:
 * ERR_UNPROCESSABLE_ENTITY without one, ERR_VALIDATION for another, ERR_SERVICE_UNAVAILABLE while the provider does not answer. `token` is one that
 * `signIn` gave to this account within a day: ERR_FORBIDDEN for any other. The provider's own never leaves the server.
 */
export type CardAccounts = {
  /** ERR_USER_ALREADY_REGISTERED where the provider knows the email, which callers tolerate (spec §8). */
  signUp(by: CardCaller, email: string | null): Promise<void>;
  /** ERR_NOT_FOUND where the provider does not know the email. */
  signIn(by: CardCaller, email: string | null): Promise<AnswerOf<"cardSignIn">>;
  contacts(by: CardCaller, token: string): Promise<AnswerOf<"cardContacts">>;
  kycStatus(by: CardCaller, token: string): Promise<AnswerOf<"cardKycStatus">>;
  accessToken(by: CardCaller, token: string, feature: string): Promise<AnswerOf<"cardAccessToken">>;
  /** Deletes old tokens. */
  prune(): Promise<void>;
};

/** Buying and selling by card as HTTP sees it. */
export type Card = {
  provider: Pick<CardProvider, "code" | "origins">;
  rates: CardRates;
  accounts: CardAccounts;
  /** Takes a callback; ERR_UNAUTHORIZED for a forged one, ERR_NOT_FOUND for an unknown order. */
  takeCallback(rawBody: string, signature: string | null): Promise<void>;
};
