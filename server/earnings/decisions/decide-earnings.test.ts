import { expect, it } from "vitest";
import { decideEarnings, type Completion } from "./decide-earnings.ts";

const USD = 10n ** 18n;
const TERMS = { affiliateShareBps: 3_000n, cashbackBps: 500n };
const [ANN, BOB, CAT] = [1n, 2n, 3n];

/** A fee of 0.01 ETH at 3,000 USD is 30 USDT. */
const completion = (changes: Partial<Completion>): Completion => ({
  fee: { amount: 10n ** 16n, decimals: 18, priceUsd: 3_000n * USD },
  currency: { decimals: 6, priceUsd: USD },
  ownerId: null,
  ownersReferrerId: null,
  ownReferrerId: null,
  partnerId: null,
  markup: 0n,
  isDoubtful: false,
  isFromReferrersClient: false,
  isToReferrersAddress: false,
  isMutual: false,
  ...changes,
});

const accrual = (userId: bigint, review: string | null = null) => ({
  userId,
  source: "AFFILIATE",
  amount: 9_000_000n,
  review,
});
const cashback = (userId: bigint, review: string | null = null) => ({
  userId,
  source: "CASHBACK",
  amount: 1_500_000n,
  review,
});

it.each<[string, Partial<Completion>, unknown[]]>([
  ["a guest's without a link earns nothing", {}, []],
  [
    "a partner's markup is its own, beside the shares of our fee",
    { partnerId: CAT, markup: 10n ** 15n, ownReferrerId: BOB },
    [accrual(BOB), { userId: CAT, source: "MARKUP", amount: 3_000_000n, review: null }],
  ],
  ["a partner without a markup earns nothing", { partnerId: CAT }, []],
  ["a guest's accrues to its link", { ownReferrerId: BOB }, [accrual(BOB)]],
  ["an account's brings cashback", { ownerId: ANN }, [cashback(ANN)]],
  ["an account's accrues to its referrer", { ownerId: ANN, ownersReferrerId: BOB }, [accrual(BOB), cashback(ANN)]],
  [
    "the account's referrer comes before the order's link",
    { ownerId: ANN, ownersReferrerId: BOB, ownReferrerId: CAT },
    [accrual(BOB), cashback(ANN)],
  ],
  ["without a referrer, the link counts", { ownerId: ANN, ownReferrerId: CAT }, [accrual(CAT), cashback(ANN)]],
  ["one's own link earns nothing", { ownerId: ANN, ownReferrerId: ANN }, [cashback(ANN)]],
  [
    "one's own link takes nothing from the account's referrer",
    { ownerId: ANN, ownersReferrerId: BOB, ownReferrerId: ANN },
    [accrual(BOB), cashback(ANN)],
  ],
  [
    "the referrer's own browser and address are looked at",
    { ownReferrerId: BOB, isFromReferrersClient: true },
    [accrual(BOB, "same_client")],
  ],
  [
    "what comes to the referrer's own address is looked at",
    { ownReferrerId: BOB, isToReferrersAddress: true },
    [accrual(BOB, "same_address")],
  ],
  [
    "two who refer each other are looked at",
    { ownerId: ANN, ownersReferrerId: BOB, isMutual: true },
    [accrual(BOB, "mutual_referral"), cashback(ANN)],
  ],
  [
    "all that an order earns whose amounts are not what was quoted is looked at",
    { ownerId: ANN, ownersReferrerId: BOB, partnerId: CAT, markup: 10n ** 15n, isDoubtful: true },
    [
      accrual(BOB, "amounts"),
      cashback(ANN, "amounts"),
      { userId: CAT, source: "MARKUP", amount: 3_000_000n, review: "amounts" },
    ],
  ],
])("%s", (_, changes, earned) => {
  expect(decideEarnings(completion(changes), TERMS)).toEqual(earned);
});

it("rounds down, and leaves out what is less than a minor unit", () => {
  const fee = { amount: 199n, decimals: 6, priceUsd: USD };
  const earnings = decideEarnings(completion({ ownerId: ANN, ownersReferrerId: BOB, fee }), TERMS);
  expect(earnings.map(({ source, amount }) => [source, amount])).toEqual([
    ["AFFILIATE", 59n],
    ["CASHBACK", 9n],
  ]);
  const tiny = { amount: 19n, decimals: 6, priceUsd: USD };
  expect(decideEarnings(completion({ ownerId: ANN, fee: tiny }), TERMS)).toEqual([]);
});

it("counts in the currency's own price", () => {
  const dearer = { decimals: 6, priceUsd: 2n * USD };
  const [earned] = decideEarnings(completion({ ownReferrerId: BOB, currency: dearer }), TERMS);
  expect(earned?.amount).toBe(4_500_000n);
});
