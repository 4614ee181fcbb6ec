import type { AccountRows } from "../db/account-rows.ts";

/** What is known of an account at the card provider. */
export const cardRows: AccountRows = {
  tables: {
    card_users: {
      joined: "delete",
      deleted: "delete",
      proved: "delete",
      exported: { leftOut: "digests of the account's own email" },
    },
    card_tokens: { joined: "delete", deleted: "delete", proved: "delete", exported: { leftOut: "digests of tokens" } },
  },
};
