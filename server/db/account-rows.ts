import type { Kysely, Transaction } from "kysely";
import type { AccountExport } from "#contract/accounts/account.ts";
import type { Schema } from "./schema.ts";

/**
 * What becomes of a table's rows when their account is joined to another one, when it is deleted, and when a mailed code alone first proves
 * whose its mailbox is: what whoever registered it had set goes then, what it has exchanged and earned stays. `own`: code of the area says so.
 */
export type AccountTable = {
  readonly joined: "move" | "delete" | "own";
  readonly deleted: "delete" | "keep" | "own";
  readonly proved: "delete" | "keep" | "own";
  /** The field of an account's export that has the rows, or why they are left out. */
  readonly exported: keyof AccountExport | { readonly leftOut: string };
  /** Whether its owner is mailed that it goes at the first proof. */
  readonly isSetting?: boolean;
};

/** The two accounts of a join; the caller holds both accounts' locks. */
export type Join = { from: bigint; to: bigint; at: Date };

/** What an area has of accounts. Accounts call it in their own transactions, under the account's lock. */
export type AccountRows = {
  /** Every table of the area that names an account, in the order in which their rows go. */
  readonly tables: Readonly<Record<string, AccountTable>>;
  /** What a person takes along, without what is somebody else's. */
  exportRows?(db: Kysely<Schema>, userId: bigint): Promise<Partial<AccountExport>>;
  /** Throws `CodedError` where the two accounts can't become one. */
  refuseJoin?(transaction: Transaction<Schema>, join: Join): Promise<void>;
  /** Why the account can't be deleted yet; null where nothing is open. */
  whyOpen?(transaction: Transaction<Schema>, userId: bigint): Promise<string | null>;
  onJoined?(transaction: Transaction<Schema>, join: Join): Promise<void>;
  onDeleted?(transaction: Transaction<Schema>, userId: bigint): Promise<void>;
  onMailboxProved?(transaction: Transaction<Schema>, userId: bigint, at: Date): Promise<void>;
};

type Row = Record<string, unknown>;

/** A row as an export has it: amounts in minor units, times in ISO 8601. */
export const exportedRow = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === "bigint") return [name, value.toString()];
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  );
