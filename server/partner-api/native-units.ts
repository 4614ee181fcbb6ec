import type { AnswerOf } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import type { Order } from "#contract/order.ts";
import { parseAmount } from "#contract/money.ts";
import type { PartnerReason, RefusalReason } from "#contract/partner-api.ts";
import { requireInstrument, type Catalogue } from "../catalogue/index.ts";

// Wallets count in the smallest units of chains: what is decimal on the wire has its units beside it (contract §13).

/** The amount in the chain's smallest units. */
export function unitsOf(amount: string, decimals: number): string {
  const units = parseAmount(amount, decimals);
  if (units === null) throw new RangeError(`an amount has more than ${decimals} decimals: ${amount}`);
  return units.toString();
}

type Slugs = { instrumentFromSlug: string; instrumentToSlug: string };

/** The same error, whose reasons name their limits in units too. */
export function withUnits(error: CodedError, catalogue: Catalogue, slugs: Slugs): CodedError {
  const { code, message, httpStatus, retryAfterSeconds, data } = error;
  const given = data?.["reasons"];
  if (!Array.isArray(given)) return error;
  const inUnits = (amount: string | null, slug: string) =>
    amount === null ? null : unitsOf(amount, requireInstrument(catalogue, slug).decimals);
  const reasons = given.map((reason: RefusalReason): PartnerReason => ({
    ...reason,
    sourceAmountLimitUnits: inUnits(reason.sourceAmountLimit, slugs.instrumentFromSlug),
    destinationAmountLimitUnits: inUnits(reason.destinationAmountLimit, slugs.instrumentToSlug),
  }));
  return new CodedError(code, message, {
    data: { ...data, reasons },
    httpStatus,
    cause: error,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

type InUnits = Pick<
  AnswerOf<"partnerOrder">,
  "claimedDepositAmountUnits" | "amountToGetUnits" | "deposits" | "withdrawals" | "offer" | "attention"
>;

/** The amounts of an order, each with its units; a refund counts what was sent. */
export function orderInUnits({ pair, deposits, withdrawals, offer, attention, ...order }: Order): InUnits {
  const inFrom = (amount: string) => unitsOf(amount, pair.instrumentFrom.precisionDecimals);
  const inTo = (amount: string) => unitsOf(amount, pair.instrumentTo.precisionDecimals);
  return {
    claimedDepositAmountUnits: inFrom(order.claimedDepositAmount),
    amountToGetUnits: inTo(order.amountToGet),
    deposits: deposits.map((deposit) => ({ ...deposit, amountUnits: inFrom(deposit.amount) })),
    withdrawals: withdrawals.map((withdrawal) => ({
      ...withdrawal,
      amountUnits: (withdrawal.kind === "refund" ? inFrom : inTo)(withdrawal.amount),
    })),
    offer: offer && { ...offer, amountToGetUnits: inTo(offer.amountToGet) },
    attention: attention && {
      ...attention,
      expectedUnits: inFrom(attention.expected),
      receivedUnits: inFrom(attention.received),
      countsFromUnits: attention.countsFrom === null ? null : inFrom(attention.countsFrom),
    },
  };
}
