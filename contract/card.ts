import * as z from "zod/mini";
import { decimalSchema, isoTimeSchema, slugSchema } from "./fields.ts";

/** The provider's token may come in this header instead of the query, where it would be logged on its way (contract §11). */
export const MERCURYO_TOKEN_HEADER = "x-mercuryo-bearer-token";
/** Hex HMAC-SHA256 of a callback's raw body. */
export const CARD_SIGNATURE_HEADER = "x-signature";

/** The message of ERR_FORBIDDEN that starts the provider's verification (spec §8). */
export const VERIFICATION_NEEDED = "KYC verification needed.";
/** The message of the ERR_FORBIDDEN of an account whose email the provider knows, and that has not proved to own it. */
export const EMAIL_NOT_CONFIRMED = "Confirm the account's email first.";

/** The feature whose verification an order needs (spec §4), and the status that means done. */
export const CRYPTO_FEATURE = "crypto";
export const FEATURE_COMPLETE = "complete";
export const EMAIL_CONFIRMED = "confirmed";

const CARD_DIRECTIONS = ["buy", "sell"] as const;
export type CardDirection = (typeof CARD_DIRECTIONS)[number];

/** What the provider says of an order; a state never goes back (contract §11). */
const CARD_STATES = ["opened", "paid", "sending", "done", "cancelled", "failed", "refunded"] as const;
const cardStateSchema = z.enum(CARD_STATES);
export type CardState = z.infer<typeof cardStateSchema>;

const FEE_KINDS = ["processing", "platform", "network"] as const;

const feesSchema = z.readonly(z.array(z.object({ kind: z.enum(FEE_KINDS), amount: decimalSchema })));

/**
 * What a fiat rate is made of, all in the fiat instrument. A purchase: what is paid less the fees is `marketValue`, what the coins
 * are worth. A sale: `marketValue` of the coins less the fees is what the card gets.
 */
export const cardTermsSchema = z.object({
  /** As people know it: who charges the card. */
  provider: z.string(),
  direction: z.enum(CARD_DIRECTIONS),
  fiat: slugSchema,
  fees: feesSchema,
  marketValue: decimalSchema,
  /** "Visa", "Mastercard". */
  methods: z.readonly(z.array(z.string())),
  /** What the provider's customer agrees to, and what it does with what it learns. */
  termsUrl: z.optional(z.nullable(z.string())),
  privacyUrl: z.optional(z.nullable(z.string())),
});
export type CardTerms = z.infer<typeof cardTermsSchema>;

/** Steps of a card order as its page shows them: paid, checked by the provider, sent. */
const CARD_STEPS = ["paid", "checked", "sent"] as const;

/** What an order has besides, where a card provider carries it out. */
export const orderCardSchema = z.object({
  provider: z.string(),
  direction: z.enum(CARD_DIRECTIONS),
  state: cardStateSchema,
  /** The provider's own name for it, for its support; null until the provider has told one. */
  reference: z.nullable(z.string()),
  supportUrl: z.nullable(z.string()),
  /** `at` is null for what has not happened yet. */
  steps: z.readonly(z.array(z.object({ kind: z.enum(CARD_STEPS), at: z.nullable(isoTimeSchema) }))),
  /** What it was quoted with, as in `cardTermsSchema`; orders of older versions lack it. */
  quoted: z.optional(z.nullable(z.object({ fees: feesSchema, marketValue: decimalSchema }))),
});
export type OrderCard = z.infer<typeof orderCardSchema>;

const providerTokenSchema = z.string().check(z.minLength(1), z.maxLength(4096));
/** The account's own email where it is given; the server knows it anyway. */
const accountEmailSchema = z.optional(z.nullable(z.string().check(z.maxLength(254))));

export const cardSignUpBodySchema = z.object({ accept: z.literal(true), email: accountEmailSchema });
export const cardSignUpAnswerSchema = z.object({});
export const cardSignInBodySchema = z.object({ email: accountEmailSchema });
export const cardSignInAnswerSchema = z.object({ bearerToken: z.string() });

/** Absent where the header has it. */
export const cardTokenQuerySchema = z.object({ mercuryoBearerToken: z.optional(providerTokenSchema) });
export const cardContactsAnswerSchema = z.object({ emailStatus: z.string() });
export const cardKycStatusAnswerSchema = z.object({
  features: z.array(z.object({ feature: z.string(), status: z.string() })),
});
export const cardAccessTokenQuerySchema = z.object({
  mercuryoBearerToken: z.optional(providerTokenSchema),
  feature: z._default(z.string().check(z.minLength(1), z.maxLength(64)), CRYPTO_FEATURE),
});
/** `verificationUrl`: the provider's page for this token, to be opened in a window or a frame. */
export const cardAccessTokenAnswerSchema = z.object({
  kycAccessToken: z.string(),
  applicantId: z.nullable(z.string()),
  verificationUrl: z.string(),
});

/** The raw body is what is signed: it is parsed after that. */
export const cardCallbackBodySchema = z.record(z.string(), z.unknown());
export const cardCallbackAnswerSchema = z.object({});

/** `isCallbackLost`: the provider tells nobody, so that only asking finds it. */
export const sandboxCardBodySchema = z.object({
  orderId: z.string().check(z.maxLength(64)),
  state: z.enum(["paid", "sending", "done", "cancelled", "failed", "refunded"]),
  isCallbackLost: z._default(z.boolean(), false),
});
export const sandboxCardAnswerSchema = z.object({ orderId: z.string(), state: cardStateSchema });
