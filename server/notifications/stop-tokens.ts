import type { Kysely } from "kysely";
import { randomToken, sha256 } from "../base/secrets.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";

const TOKEN_BYTES = 32;

/** Makes a token that stops the order's waiting refund and opens nothing; only its hash is stored. */
export async function issueStopToken({ kysely }: Pick<Database, "kysely">, orderId: string): Promise<string> {
  const token = randomToken(TOKEN_BYTES);
  await kysely
    .insertInto("refund_stop_tokens")
    .values({ token_hash: sha256(token), order_id: orderId })
    .execute();
  return token;
}

/** Whether the token was sent for this order. */
export async function isStopToken(db: Kysely<Schema>, orderId: string, token: string): Promise<boolean> {
  const found = await db
    .selectFrom("refund_stop_tokens")
    .select("order_id")
    .where("token_hash", "=", sha256(token))
    .where("order_id", "=", orderId)
    .executeTakeFirst();
  return found !== undefined;
}
