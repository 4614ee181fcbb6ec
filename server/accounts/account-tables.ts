import type { AccountExport } from "#contract/account.ts";

/**
 * What becomes of the rows of an account when it is joined to another one, when it is deleted, and when a mailed code alone first proves
 * whose its mailbox is: what whoever registered it had set goes then, what it has exchanged and earned stays. `own`: code of that case says so.
 */
type Fate = {
  readonly joined: "move" | "delete" | "own";
  readonly deleted: "delete" | "keep" | "own";
  readonly proved: "delete" | "keep" | "own";
};

/**
 * Every table that names an account, in the order in which their rows go. A new one belongs here.
 * @internal Exported for its test.
 */
export const ACCOUNT_TABLES = {
  orders: { joined: "move", deleted: "own", proved: "keep" },
  archived_orders: { joined: "own", deleted: "own", proved: "keep" },
  partner_orders: { joined: "move", deleted: "keep", proved: "keep" },
  card_orders: { joined: "move", deleted: "keep", proved: "keep" },
  wallet_credits: { joined: "own", deleted: "keep", proved: "keep" },
  withdrawals: { joined: "own", deleted: "own", proved: "own" },
  monthly_payouts: { joined: "delete", deleted: "delete", proved: "delete" },
  ledger_accounts: { joined: "own", deleted: "keep", proved: "keep" },
  referrer_ids: { joined: "own", deleted: "keep", proved: "keep" },
  referral_clicks: { joined: "own", deleted: "keep", proved: "keep" },
  users: { joined: "own", deleted: "own", proved: "own" },
  outbox: { joined: "move", deleted: "delete", proved: "own" },
  credentials: { joined: "delete", deleted: "delete", proved: "own" },
  second_factors: { joined: "delete", deleted: "delete", proved: "delete" },
  recovery_codes: { joined: "delete", deleted: "delete", proved: "delete" },
  mailed_codes: { joined: "delete", deleted: "delete", proved: "delete" },
  known_browsers: { joined: "delete", deleted: "delete", proved: "delete" },
  user_clients: { joined: "own", deleted: "delete", proved: "keep" },
  api_keys: { joined: "move", deleted: "delete", proved: "delete" },
  webhooks: { joined: "move", deleted: "delete", proved: "delete" },
  card_users: { joined: "delete", deleted: "delete", proved: "delete" },
  card_tokens: { joined: "delete", deleted: "delete", proved: "delete" },
  verifications: { joined: "own", deleted: "delete", proved: "delete" },
  verification_tries: { joined: "delete", deleted: "delete", proved: "delete" },
  sessions: { joined: "own", deleted: "delete", proved: "own" },
} as const satisfies Record<string, Fate>;

type AccountTable = keyof typeof ACCOUNT_TABLES;
type TablesWith<Case extends keyof Fate, Given extends Fate[Case]> = {
  [Table in AccountTable]: (typeof ACCOUNT_TABLES)[Table][Case] extends Given ? Table : never;
}[AccountTable];

/** The tables whose rows go one way in a case. */
export const tablesWith = <Case extends keyof Fate, Given extends Fate[Case]>(
  when: Case,
  fate: Given,
): TablesWith<Case, Given>[] =>
  (Object.keys(ACCOUNT_TABLES) as AccountTable[]).filter(
    (table): table is TablesWith<Case, Given> => ACCOUNT_TABLES[table][when] === fate,
  );

/**
 * The field of an account's export that has the rows of a table, or why they are left out. A new table says which.
 * @internal Exported for its test.
 */
export const EXPORTED_AS: Record<AccountTable, keyof AccountExport | { leftOut: string }> = {
  orders: "orders",
  archived_orders: "orders",
  partner_orders: "partnerOrders",
  card_orders: "cardOrders",
  wallet_credits: "earnings",
  withdrawals: "withdrawals",
  monthly_payouts: "monthlyPayout",
  ledger_accounts: { leftOut: "sums of earnings and withdrawals" },
  referrer_ids: "referrals",
  referral_clicks: "referrals",
  users: "account",
  outbox: { leftOut: "messages, which their person has" },
  credentials: { leftOut: "a secret" },
  second_factors: { leftOut: "a secret" },
  recovery_codes: { leftOut: "secrets" },
  mailed_codes: { leftOut: "secrets" },
  known_browsers: { leftOut: "digests of tokens" },
  user_clients: { leftOut: "digests, by which misuse is found" },
  api_keys: "apiKeys",
  webhooks: "webhooks",
  card_users: { leftOut: "digests of the account's own email" },
  card_tokens: { leftOut: "digests of tokens" },
  verifications: "verifications",
  verification_tries: { leftOut: "a counter of one day" },
  sessions: "sessions",
};
