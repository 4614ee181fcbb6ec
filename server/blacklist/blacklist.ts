import { domainToASCII } from "node:url";
import { sql, type Kysely } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { accountOf, accountsWritten } from "../chains/addresses/index.ts";
import type { Schema } from "../db/schema.ts";

/**
 * What stands for an address or an email in the list, but for what `mail_recipient` of the database folds: case, what follows a plus sign,
 * the dots of a Gmail address. Addresses are canonical.
 */
export const listedAs = (value: string): string => (value.includes("@") ? asciiDomain(value) : accountOf(value));

/** What an operator may mean by an entry: each network that could have written an address so, or the text as it is. */
export function meantBy(text: string): string[] {
  const value = text.trim();
  const accounts = value.includes("@") ? [] : accountsWritten(value);
  return accounts.length > 0 ? accounts : [listedAs(value)];
}

/** A domain in the letters of its country is the one in ASCII that is looked up for it. */
function asciiDomain(email: string): string {
  const at = email.lastIndexOf("@") + 1;
  return email.slice(0, at) + (domainToASCII(email.slice(at)) || email.slice(at));
}

/** Whether any of an array of texts is listed, as an expression of SQL, which the array is too: each as `listedAs` gives it. */
export const isBlacklistedSql = (values: string): string =>
  `exists (select from unnest(${values}) v join blacklist b on b.value = mail_recipient(v))`;

/** Whether any of these addresses and emails is listed: nothing is exchanged for them (spec §8). */
export async function isBlacklisted(db: Kysely<Schema>, values: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from unnest(${values.map(listedAs)}::text[]) v join blacklist b on b.value = mail_recipient(v) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** What somebody gets whose address or email is listed: the app knows it by its words (spec §8). */
export const blacklisted = (): CodedError => new CodedError("ERR_FORBIDDEN", "Client data is blacklisted");
