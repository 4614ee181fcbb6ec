import * as z from "zod/mini";
import { decimalSchema, slugSchema } from "#contract/fields.ts";

const seconds = z.int().check(z.positive());
const bps = z.pipe(
  z.int().check(z.minimum(0), z.maximum(5_000)),
  z.transform((value: number) => BigInt(value)),
);
/** A token's name is chosen by others: what nobody sees in it could make it look like another one. */
const title = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(64),
    z.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, "must have visible characters only"),
  );
const template = (placeholder: string) =>
  z.nullable(z.string().check(z.startsWith("https://"), z.includes(placeholder), z.maxLength(256)));

const pairTermsSchema = z.strictObject({
  floatingFeeBps: bps,
  fixedFeeBps: bps,
  spreadBps: bps,
  ckm: z.enum(["A", "B", "D"]),
  hasFixedRate: z.boolean(),
});

const count = z.pipe(
  z.int().check(z.positive()),
  z.transform((value: number) => BigInt(value)),
);

/** See `PaymentCaps`; prices of gas are in gwei here, and TRON's limit in TRX. */
const capsSchema = z.strictObject({
  nativeGas: z.prefault(count, 100_000),
  tokenGas: z.prefault(count, 300_000),
  maxFeePerGasGwei: z.prefault(count, 500),
  maxPriorityFeePerGasGwei: z.prefault(count, 50),
  feePerByte: z.optional(count),
  feeLimitTrx: z.prefault(count, 150),
  timesCharged: z.prefault(count, 3),
  overChargedUsd: z._default(decimalSchema, "1"),
  replacementTimesCharged: z.prefault(count, 10),
  replacementOverChargedUsd: z._default(decimalSchema, "10"),
});

const networkSchema = z.strictObject({
  friendlyTitle: title,
  explorerTx: template("{txId}"),
  explorerAddress: template("{address}"),
  confirmations: z.int().check(z.minimum(0), z.maximum(10_000)),
  /** The average time between two blocks; without it a network counts as slow as Bitcoin, and no time of arrival is promised. */
  blockSeconds: z.optional(z.number().check(z.minimum(0.1), z.maximum(86_400))),
  /** How wallets name its tokens: "ERC20", "TRC20". */
  tokenStandard: z._default(z.nullable(title), null),
  /** Without a block for longer, the network is down. */
  standstillSeconds: z.optional(seconds),
  /** The blocks by which a node may be behind another one. */
  lagBlocks: z.optional(z.int().check(z.minimum(0), z.maximum(10_000))),
  /** How many of several nodes must agree on a block; without it the majority of those that answer. */
  nodesToAgree: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  /** A payment that no block takes for longer is replaced. */
  replaceAfterSeconds: z.optional(seconds),
  /** How often one payment is replaced; 0: never. */
  maxReplacements: z._default(z.int().check(z.minimum(0), z.maximum(20)), 5),
  /** What one payment may cost at most. */
  caps: z.prefault(capsSchema, {}),
});

const instrumentSchema = z.strictObject({
  slug: slugSchema,
  currencyTitle: title,
  networkTitle: title,
  currencyFriendlyTitle: title,
  bestChangeName: z.nullable(title),
  instrumentType: z._default(z.enum(["fiat", "other"]), "other"),
  requiresMemo: z._default(z.boolean(), false),
  decimals: z.int().check(z.minimum(0), z.maximum(36)),
  contractAddress: z._default(z.nullable(z.string().check(z.minLength(1), z.maxLength(128))), null),
  isPopular: z.boolean(),
  isActive: z.boolean(),
  confirmations: z.optional(z.int().check(z.minimum(0), z.maximum(10_000))),
  minUsd: z.optional(decimalSchema),
  maxUsd: z.optional(decimalSchema),
  fixedMaxUsd: z.optional(decimalSchema),
  /** A deposit address that holds less is not swept: the network fee would exceed it. */
  sweepMinUsd: z.optional(decimalSchema),
});

/** Files that were written before `rateLockSeconds` had its name call it `fixedHoldSeconds`. */
function withRateLock(terms: unknown): unknown {
  if (typeof terms !== "object" || terms === null || !("fixedHoldSeconds" in terms) || "rateLockSeconds" in terms)
    return terms;
  const { fixedHoldSeconds: rateLockSeconds, ...others } = terms;
  return { ...others, rateLockSeconds };
}

/** The file that an operator edits: what can be exchanged, and on which terms. */
export const catalogueFileSchema = z.strictObject({
  defaultPair: z.strictObject({ from: slugSchema, to: slugSchema }),
  terms: z.pipe(
    z.transform(withRateLock),
    z.strictObject({
      quoteValidSeconds: seconds,
      /** Pages name it in whole minutes. */
      rateLockSeconds: seconds.check(z.minimum(60)),
      volatilityBps: bps,
      dustBps: bps,
      floatingToleranceBps: bps,
      /** The maximum that unpaid fixed orders of one pair may promise together (engine law 13). */
      fixedExposureUsd: decimalSchema,
      /** The part of it that one client may take with several orders, so that no client takes it from all. */
      fixedClientShareBps: z._default(bps, 4_000n),
      /** How long an offer is good, and how far the market may fall below it (contract §3). */
      offerValidSeconds: z._default(seconds, 600),
      offerToleranceBps: z._default(bps, 50n),
      /** When an order that nobody paid expires, counted from its creation or from the end of its rate lock. */
      unpaidExpiresAfter: z._default(seconds, 86_400),
      /** A smaller deposit neither opens, completes nor prolongs anything. */
      strayMinUsd: z._default(decimalSchema, "2"),
      /** How long a refund to an address that was not given at creation waits; 600 where it isn't set, and 0 in the sandbox. */
      refundDelaySeconds: z.optional(z.int().check(z.minimum(0), z.maximum(86_400))),
      /** What earnings are counted and withdrawn in, and which parts of our fee they are (contract §9). */
      earningsSlug: z._default(slugSchema, "usdt-trc20"),
      affiliateShareBps: z._default(bps, 3_000n),
      cashbackBps: z._default(bps, 500n),
      withdrawalMinUsdt: z._default(decimalSchema, "10"),
      withdrawalReviewUsd: z._default(decimalSchema, "500"),
      withdrawalNewAddressUsd: z._default(decimalSchema, "100"),
      withdrawalsPerDay: z._default(z.int().check(z.minimum(1), z.maximum(10_000)), 100),
      /** What a sweep may cost at most of what it moves. */
      sweepMaxCostBps: z._default(bps, 100n),
    }),
  ),
  /** Without a fee of its own a fixed rate costs half of the market's move that it bears (`fixed-fee.ts`). */
  pairDefaults: z.extend(pairTermsSchema, { fixedFeeBps: z.optional(bps) }),
  limitsUsd: z.strictObject({
    min: decimalSchema,
    max: decimalSchema,
    fixedMax: decimalSchema,
    sweepMin: decimalSchema,
  }),
  networks: z.record(title, networkSchema),
  instruments: z.array(instrumentSchema).check(z.minLength(2)),
  pairs: z.array(
    z.extend(z.partial(pairTermsSchema), { from: slugSchema, to: slugSchema, isActive: z.optional(z.boolean()) }),
  ),
});
export type CatalogueFile = z.output<typeof catalogueFileSchema>;
