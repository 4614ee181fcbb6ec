import type { WalletBalance } from "#contract/earnings.ts";
import { compareDecimals } from "#contract/money.ts";

/** What earnings are paid in (contract §9). */
const EARNED_IN = { currencyTitle: "USDT", networkTitle: "TRX" } as const;

/** The balance that earnings are in: nothing yet of an account that never earned; undefined while the balances are. */
export function mainBalance(balances: readonly WalletBalance[] | undefined): WalletBalance | undefined {
  if (balances === undefined) return undefined;
  return (
    balances.find(
      ({ currencyTitle, networkTitle }) =>
        currencyTitle === EARNED_IN.currencyTitle && networkTitle === EARNED_IN.networkTitle,
    ) ?? { ...EARNED_IN, balance: "0", held: "0" }
  );
}

/** Whether it is enough for a withdrawal; false while either isn't known. */
export const mayWithdraw = (balance: WalletBalance | undefined, minimum: string | undefined): boolean =>
  balance !== undefined && minimum !== undefined && compareDecimals(balance.balance, minimum) >= 0;
