import { CodedError } from "#contract/errors.ts";
import { formatAmount } from "#contract/money.ts";
import type { RefusalReason } from "#contract/partner-api.ts";
import type { CatalogueInstrument } from "../../catalogue/index.ts";
import type { NetworkReader } from "../../chains/port.ts";

/**
 * Refuses an order whose payout could not open the account that it goes to, on a network where an account exists from its first payment on
 * (XRP, Stellar): the reason names the reserve as the smallest amount that can be paid there.
 */
export async function requireAccount(
  { accountReserve, accountExists, feeSlug, networkTitle }: NetworkReader,
  address: string,
  { slug, decimals, currencyTitle }: CatalogueInstrument,
  amount: bigint,
): Promise<void> {
  if (accountReserve === undefined || accountExists === undefined || slug !== feeSlug || amount >= accountReserve)
    return;
  if (await accountExists(address)) return;
  const reserve = formatAmount(accountReserve, decimals);
  const status = "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL";
  const message = `This account does not exist yet: its first payment must bring ${reserve} ${currencyTitle}, the reserve of ${networkTitle}`;
  const reason: RefusalReason = { status, message, sourceAmountLimit: null, destinationAmountLimit: reserve };
  throw new CodedError(status, message, { data: { accountReserve: reserve, reasons: [reason] } });
}
