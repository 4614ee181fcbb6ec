import { sql, type Kysely } from "kysely";
import { CodedError } from "#contract/errors.ts";
import type { Schema } from "../db/schema.ts";

/** As it is listed, however it was written. */
export const listed = (value: string): string => value.trim().toLowerCase();

/** Whether a value is listed, as an expression of SQL, which the value is too. */
export const isBlacklistedSql = (value: string): string =>
  `coalesce((select true from blacklist b where b.value = lower(${value}) limit 1), false)`;

/** Whether any of these addresses and emails is listed: nothing is exchanged for them (spec §8). */
export async function isBlacklisted(db: Kysely<Schema>, values: readonly string[]): Promise<boolean> {
  const { rows } = await sql`select from blacklist where value = any(${values.map(listed)}::text[]) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** What somebody gets whose address or email is listed: the app knows it by its words (spec §8). */
export const blacklisted = (): CodedError => new CodedError("ERR_FORBIDDEN", "Client data is blacklisted");
