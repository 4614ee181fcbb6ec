import type { AccountRows, AccountTable } from "../db/account-rows.ts";

/** What accounts themselves have of an account. */
export const ownRows: AccountRows = {
  tables: {
    users: { joined: "own", deleted: "own", proved: "own", exported: "account" },
    credentials: { joined: "delete", deleted: "delete", proved: "own", exported: { leftOut: "a secret" } },
    second_factors: { joined: "delete", deleted: "delete", proved: "delete", exported: { leftOut: "a secret" } },
    recovery_codes: { joined: "delete", deleted: "delete", proved: "delete", exported: { leftOut: "secrets" } },
    mailed_codes: { joined: "delete", deleted: "delete", proved: "delete", exported: { leftOut: "secrets" } },
    known_browsers: {
      joined: "delete",
      deleted: "delete",
      proved: "delete",
      exported: { leftOut: "digests of tokens" },
    },
    api_keys: { joined: "move", deleted: "delete", proved: "delete", exported: "apiKeys", isSetting: true },
    sessions: { joined: "own", deleted: "delete", proved: "own", exported: "sessions" },
  },
};

/** The tables whose rows go one way in a case. */
export const tablesWith = <Case extends "joined" | "deleted" | "proved">(
  areas: readonly AccountRows[],
  when: Case,
  fate: AccountTable[Case],
): string[] =>
  areas.flatMap(({ tables }) =>
    Object.entries(tables)
      .filter(([, table]) => table[when] === fate)
      .map(([name]) => name),
  );

/** The tables whose rows an account's owner has set. */
export const settingsTables = (areas: readonly AccountRows[]): string[] =>
  areas.flatMap(({ tables }) =>
    Object.entries(tables)
      .filter(([, table]) => table.isSetting === true)
      .map(([name]) => name),
  );
