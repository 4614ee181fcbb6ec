/** What a withdrawal is judged by; amounts are in USD, scaled alike. */
export type WithdrawalFacts = {
  /** Of this one and the day before it: what the account, its client, or all to this address withdrew; null without a price. */
  usdOfDay: bigint | null;
  /** What all accounts withdrew to this address, with this one. */
  usdToAddress: bigint | null;
  /** When the account first withdrew to this address; null: never before. */
  addressUsedSince: Date | null;
  at: Date;
};

type WithdrawalLimits = { reviewUsd: bigint; newAddressUsd: bigint };

/** Why an operator looks at a withdrawal first; null: it is sent at once (contract §9). Whoever splits a sum, also over accounts, gains nothing by it. */
export function withdrawalReview(
  { usdOfDay, usdToAddress, addressUsedSince, at }: WithdrawalFacts,
  { reviewUsd, newAddressUsd }: WithdrawalLimits,
): "no_price" | "large_amount" | "new_address" | null {
  if (usdOfDay === null || usdToAddress === null) return "no_price";
  if (usdOfDay > reviewUsd) return "large_amount";
  const isNew = addressUsedSince === null || at.getTime() - addressUsedSince.getTime() < DAY_MS;
  return isNew && usdToAddress > newAddressUsd ? "new_address" : null;
}
import { DAY_MS } from "#contract/durations.ts";
