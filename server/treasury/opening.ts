import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { inTransaction } from "../db/transaction.ts";
import type { NetworkWallet } from "../chains/port.ts";
import { openingEntries } from "./entries.ts";
import { post } from "./ledger.ts";

/** Takes what the hot wallet holds into the books, once for each instrument: at the first start that sees it. */
export async function openBooks(
  database: Database,
  wallet: NetworkWallet,
  slugs: Iterable<string>,
  clock: Clock,
): Promise<void> {
  for (const slug of slugs) {
    const known = await database.kysely
      .selectFrom("ledger_transfers")
      .select("id")
      .where("kind", "=", "opening")
      .where("source_id", "=", slug)
      .executeTakeFirst();
    if (known !== undefined) continue;
    const entries = openingEntries(slug, await wallet.hotBalance(slug));
    await inTransaction(database, (transaction) =>
      post(transaction, { kind: "opening", sourceId: slug, at: clock.now(), entries }),
    );
  }
}
