import type { Catalogue } from "./port.ts";

/** What a monthly payout may be in beside the currency of earnings: what wallets ask their providers for. */
export const MONTHLY_PAYOUT_COINS: readonly string[] = ["btc", "eth", "usdc-erc20"];

/** The slugs of all that withdrawals and monthly payouts may be paid in, whether or not any account has chosen it. */
export const withdrawalCoins = ({ terms }: Pick<Catalogue, "terms">): string[] => [
  terms.earningsSlug,
  ...MONTHLY_PAYOUT_COINS,
];
