import { sql } from "kysely";
import { EMAIL_NOT_CONFIRMED } from "#contract/card.ts";
import { CodedError } from "#contract/errors.ts";
import { sha256 } from "../base/secrets.ts";
import { foldedEmail } from "../base/folded-email.ts";
import type { Database } from "../db/database.ts";
import type { CardProvider } from "./port.ts";

type Account = { userId: bigint; email: string };

/** Registers the account's email with the provider, and remembers whose it is; false where the provider knew it. */
export async function signUpAtProvider(database: Database, provider: CardProvider, account: Account): Promise<boolean> {
  const { userId, email } = account;
  // Asked first: what is remembered before the sign-up survives its lost answer, and must never be of another's user.
  if ((await provider.signIn(email)) !== null) return false;
  const row = [provider.code, digestOf(email), userId];
  await sql`insert into card_users (provider, email_digest, user_id) values (${sql.join(row)}) on conflict do nothing`.execute(
    database.kysely,
  );
  if (await provider.signUp(email)) return true;
  await sql`delete from card_users where (provider, email_digest, user_id) = (${sql.join(row)})`.execute(
    database.kysely,
  );
  return false;
}

/**
 * Refuses whoever may not act as the user that the provider knows by the account's email. The provider believes us, and an account here needs
 * no proof of its email: without one it acts as nobody but a user that it registered itself, or it would pay under another person's identity.
 */
export async function requireOwnUser(database: Database, provider: CardProvider, account: Account): Promise<void> {
  const { rows } = await sql`
    select 1 from users
    where id = ${account.userId} and folded_email(email) = folded_email(${account.email}) and email_confirmed_at is not null
    union all
    select 1 from card_users
    where provider = ${provider.code} and email_digest = ${digestOf(account.email)} and user_id = ${account.userId}
    limit 1`.execute(database.kysely);
  if (rows.length === 0) throw new CodedError("ERR_FORBIDDEN", EMAIL_NOT_CONFIRMED);
}

const digestOf = (email: string): Buffer => sha256(foldedEmail(email));
