import type { Kysely, Transaction } from "kysely";
import type { AccountExport } from "#contract/accounts/account.ts";
import type { Schema } from "./schema.ts";

/**
 * What happens to a table's rows when accounts are joined, when an account is deleted, and when its mailbox is proved for the first time: whoever
 * registered it may not have owned the mailbox, so their settings go, and what the account has exchanged and earned stays. `own`: the area's
 * code decides.
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

/** `data` is that of the coded error. */
type OpenMatter = { message: string; data?: Record<string, unknown> };

/** What an area has of accounts. Accounts call it in their own transactions, under the account's lock. */
export type AccountRows = {
  /** Every table of the area that names an account, in the order in which their rows go. */
  readonly tables: Readonly<Record<string, AccountTable>>;
  /** What a person takes along, without what is somebody else's. */
  exportRows?(db: Kysely<Schema>, userId: bigint): Promise<Partial<AccountExport>>;
  /** Throws `CodedError` where the two accounts can't become one. */
  refuseJoin?(transaction: Transaction<Schema>, join: Join): Promise<void>;
  /** Why the account can't be deleted yet, as its refusal says; null where nothing is open. */
  whyOpen?(transaction: Transaction<Schema>, userId: bigint): Promise<OpenMatter | null>;
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
