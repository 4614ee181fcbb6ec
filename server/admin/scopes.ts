import { sql, type Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";
import { OperatorError } from "./audit.ts";

/** What an administrator may do. */
export const ADMIN_SCOPES = ["support", "treasury", "kyc", "settings", "partners", "admins"] as const;
export type AdminScope = (typeof ADMIN_SCOPES)[number];

/** Throws `OperatorError` unless the name is the email of an administrator with this scope. */
export async function requireScope(db: Kysely<Schema>, name: string, scope: AdminScope): Promise<void> {
  const found = await db
    .selectFrom("users")
    .select("admin_scope")
    .where(sql<boolean>`folded_email(email) = folded_email(${name})`)
    .where("permissions", "=", "ADMIN")
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (found?.admin_scope?.includes(scope) === true) return;
  throw new OperatorError(
    `--as must be the email of an administrator with the scope ${scope}: npm run admin -- grant EMAIL ${scope} REASON --as NAME.`,
  );
}
