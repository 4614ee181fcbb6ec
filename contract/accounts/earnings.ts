import * as z from "zod/mini";
import { addressSchema, decimalSchema, isoTimeSchema, slugSchema } from "../fields.ts";
import { MAX_DIGITS } from "../money.ts";
import { pageOf } from "../paging.ts";

// Affiliates, cashback, the wallet and withdrawals (spec §7 "Affiliate", contract §9).

/** 8 characters that nobody guesses. */
const REFERRER_ID = /^[0-9A-HJKMNP-TV-Z]{8}$/;
/** Whether a text has the form of a referrer's id (contract §9); says nothing of whether anybody has it. */
export const isReferrerId = (text: string): boolean => REFERRER_ID.test(text);

/** `link` leads to the site, `deeplink` to the mini-app, null without one. The shares are of our fee, in basis points. */
export const referrerSchema = z.object({
  referrerId: z.string(),
  link: z.string(),
  deeplink: z.nullable(z.string()),
  shareBps: z.int(),
  cashbackBps: z.int(),
});
export type Referrer = z.infer<typeof referrerSchema>;

/** `balance` can be withdrawn; `held` is on its way out. */
const balanceFields = {
  currencyTitle: z.string(),
  networkTitle: z.string(),
  balance: decimalSchema,
  held: decimalSchema,
};
export const walletBalanceSchema = z.object(balanceFields);
export type WalletBalance = z.infer<typeof walletBalanceSchema>;
export const walletBalancesSchema = z.array(walletBalanceSchema);
/** The part of the wallet that was earned; the totals are since the account began, without what was reversed. */
export const affiliateBalancesSchema = z.array(
  z.object({ ...balanceFields, accruedTotal: decimalSchema, withdrawnTotal: decimalSchema }),
);
export type AffiliateBalance = z.infer<typeof affiliateBalancesSchema>[number];

/** `COMPLETED` is in the wallet; `REVIEW` waits for an operator, who may refuse it; `REVERSED` was taken back when its order was undone. */
const CREDIT_STATUSES = ["COMPLETED", "REVIEW", "REJECTED", "REVERSED"] as const;
const CREDIT_SOURCES = ["AFFILIATE", "CASHBACK", "MARKUP", "ADJUSTMENT"] as const;
const creditSchema = z.object({
  id: z.string(),
  currencyTitle: z.string(),
  networkTitle: z.string(),
  /** Below zero where an operator's adjustment took it away. */
  amount: z.union([decimalSchema, z.string().check(z.maxLength(MAX_DIGITS + 1), z.regex(/^-[0-9]+(?:\.[0-9]+)?$/))]),
  createdAt: isoTimeSchema,
  source: z.enum(CREDIT_SOURCES),
  status: z.enum(CREDIT_STATUSES),
  /** Only of an order of one's own: what others exchange is theirs. */
  orderReference: z.nullable(z.string()),
  address: z.null(),
  networkFee: z.null(),
  txId: z.null(),
});
export type Credit = z.infer<typeof creditSchema>;
export const creditPageSchema = pageOf(creditSchema);

/**
 * `PENDING` is about to be sent, `REVIEW` waits for an operator, `SENT` waits for its first confirmation; a `REJECTED` one is in the
 * balance again.
 */
const WITHDRAWAL_STATUSES = ["PENDING", "REVIEW", "SENT", "COMPLETED", "REJECTED"] as const;
const withdrawalStatusSchema = z.enum(WITHDRAWAL_STATUSES);
export type WithdrawalStatus = z.infer<typeof withdrawalStatusSchema>;

/** `amount` left the wallet; the address gets it less `networkFee`. */
const walletWithdrawalSchema = z.object({
  id: z.string(),
  currencyTitle: z.string(),
  networkTitle: z.string(),
  amount: decimalSchema,
  createdAt: isoTimeSchema,
  source: z.null(),
  status: withdrawalStatusSchema,
  orderReference: z.null(),
  address: z.string(),
  networkFee: decimalSchema,
  /** What the address gets, where that is another coin (a monthly payout); its own network has the transaction. */
  paid: z._default(
    z.nullable(z.object({ currencyTitle: z.string(), networkTitle: z.string(), amount: decimalSchema })),
    null,
  ),
  txId: z.nullable(z.string()),
});
export type WalletWithdrawal = z.infer<typeof walletWithdrawalSchema>;
export const withdrawalPageSchema = pageOf(walletWithdrawalSchema);

/** The withdrawal payload of spec §3; `amount` is what leaves the wallet, the network fee included. */
export const createWithdrawalBodySchema = z.object({
  currencyTitle: z.string().check(z.minLength(1), z.maxLength(64)),
  networkTitle: z.string().check(z.minLength(1), z.maxLength(64)),
  address: addressSchema,
  amount: decimalSchema,
});
export type CreateWithdrawalBody = z.infer<typeof createWithdrawalBodySchema>;
export const createWithdrawalAnswerSchema = z.object({ id: z.string(), status: withdrawalStatusSchema });

/**
 * The address that the wallet is withdrawn to after each month, null without one, and the coin that it gets, which is one of `choices`.
 * `nextAt` is when the running month ends; `lastOutcome`
 * what came of the last one: `TOO_LITTLE` stayed in the wallet, `REFUSED` could not go to that address.
 */
export const monthlyPayoutSchema = z.object({
  address: z.nullable(z.string()),
  slug: slugSchema,
  choices: z.array(slugSchema),
  since: z.nullable(isoTimeSchema),
  nextAt: isoTimeSchema,
  lastOutcome: z.nullable(z.enum(["PAID", "TOO_LITTLE", "REFUSED"])),
});
export type MonthlyPayout = z.infer<typeof monthlyPayoutSchema>;
/** Null ends it. Without a slug it is paid in the currency of earnings. */
export const setMonthlyPayoutBodySchema = z.object({
  address: z.nullable(addressSchema),
  slug: z.optional(slugSchema),
});
export type SetMonthlyPayoutBody = z.infer<typeof setMonthlyPayoutBodySchema>;

/** What a withdrawal costs and needs now, for each instrument that can be withdrawn; `networkFee` is null while it is unknown. */
export const withdrawalTermsSchema = z.array(
  z.object({
    currencyTitle: z.string(),
    networkTitle: z.string(),
    minimum: decimalSchema,
    networkFee: z.nullable(decimalSchema),
    /** Over this many US dollars in a day an operator looks at it first. */
    reviewUsd: decimalSchema,
    /** The same for an address that was first used less than a day ago. */
    newAddressUsd: decimalSchema,
  }),
);
export type WithdrawalTerms = z.infer<typeof withdrawalTermsSchema>[number];

/** A span that ends today, by UTC days. */
export const statisticsQuerySchema = z.object({
  days: z._default(z.enum(["7", "30", "90"]), "30"),
});
const figureFields = {
  clicks: z.int(),
  registrations: z.int(),
  /** Completed ones that earned something. */
  orders: z.int(),
  earned: decimalSchema,
};
/** What one's link has brought: since the account began, and for each day of the span, the oldest first. `earned` is in the currency. */
export const statisticsSchema = z.object({
  currencyTitle: z.string(),
  networkTitle: z.string(),
  ...figureFields,
  days: z.array(z.object({ date: z.iso.date(), ...figureFields })),
});
export type AffiliateStatistics = z.infer<typeof statisticsSchema>;
