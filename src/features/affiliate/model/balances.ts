import type { WalletBalance } from "#contract/accounts/earnings.ts";
import { compareDecimals } from "#contract/money.ts";

/** The balance that earnings are in is the first (contract §9); undefined while the balances are. */
export const mainBalance = (balances: readonly WalletBalance[] | undefined): WalletBalance | undefined => balances?.[0];

/** Whether it is enough for a withdrawal; false while either isn't known. */
export const mayWithdraw = (balance: WalletBalance | undefined, minimum: string | undefined): boolean =>
  balance !== undefined && minimum !== undefined && compareDecimals(balance.balance, minimum) >= 0;
