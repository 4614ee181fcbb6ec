import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { inTransaction } from "../db/transaction.ts";
import { adjustmentEntries } from "./entries.ts";
import { post } from "./ledger.ts";
import { OperatorError, recordAction, type Operator } from "./operator-audit.ts";

export type Adjustment = {
  network: string;
  slug: string;
  account: "hot" | "deposits";
  /** What the chain holds more than the ledger says; below zero what is missing. */
  amount: bigint;
};

/** Proposes to book a difference that stopped a network's payments; returns its number, for the operator who confirms it. */
export function proposeAdjustment(database: Database, operator: Operator, adjustment: Adjustment): Promise<bigint> {
  return inTransaction(database, async (transaction) => {
    const { id } = await transaction
      .insertInto("adjustments")
      .values({ ...adjustment, reason: operator.reason, proposed_by: operator.name })
      .returning("id")
      .executeTakeFirstOrThrow();
    const change = { action: "freeze propose", subject: `network ${adjustment.network}`, before: {} };
    await recordAction(transaction, operator, { ...change, after: { adjustment: id, ...adjustment } });
    return id;
  });
}

/** Books a proposed difference at our own cost and releases the network's payments: another operator than the one who proposed it. */
export async function confirmAdjustment(database: Database, operator: Operator, id: bigint): Promise<Adjustment> {
  return inTransaction(database, async (transaction) => {
    const found = await transaction
      .selectFrom("adjustments")
      .selectAll()
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (found === undefined) throw new OperatorError(`There is no proposal ${id}.`);
    if (found.confirmed_at !== null) throw new OperatorError(`Proposal ${id} was confirmed by ${found.confirmed_by}.`);
    if (found.proposed_by.toLowerCase() === operator.name.toLowerCase())
      throw new OperatorError(`${found.proposed_by} proposed it: somebody else has to confirm it.`);
    const { network, slug, account, amount } = found;
    const { rows } = await sql<{ at: Date }>`select now() as at`.execute(transaction);
    const at = rows[0]?.at ?? new Date(0);
    const entries = adjustmentEntries(slug, amount, account);
    await post(transaction, { kind: "adjustment", sourceId: `${id}`, at, entries });
    await transaction
      .updateTable("adjustments")
      .set({ confirmed_by: operator.name, confirmed_at: at })
      .where("id", "=", id)
      .execute();
    const released = await transaction
      .deleteFrom("kill_switches")
      .where("action", "=", "pay")
      .where("scope", "=", network)
      .where("direction", "=", "both")
      .returning("reason")
      .execute();
    await recordAction(transaction, operator, {
      action: "freeze confirm",
      subject: `network ${network}`,
      before: { stopped: released[0]?.reason ?? null, proposedBy: found.proposed_by },
      after: { adjustment: id, slug, account, amount },
    });
    return { network, slug, account, amount };
  });
}
