import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { type Operator, OperatorError, recordAction } from "../../admin/index.ts";

/** An announced top-up is expected for so long. */
const EXPECTED_DAYS = 7;

/**
 * Proposes what a surplus is: ours to keep, or sent back by hand. Returns the proposal's number, for the operator who confirms it. Throws
 * `OperatorError`.
 */
export function proposeSurplusEnd(
  database: Database,
  operator: Operator,
  id: bigint,
  end: "keep" | "returned",
): Promise<bigint> {
  return inTransaction(database, async (transaction) => {
    const surplus = await transaction
      .selectFrom("surpluses")
      .selectAll()
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (surplus === undefined) throw new OperatorError(`There is no surplus ${id}.`);
    if (surplus.ended_at !== null) throw new OperatorError(`Surplus ${id} was decided already.`);
    const open = await transaction
      .selectFrom("adjustments")
      .select("id")
      .where("surplus_id", "=", id)
      .where("confirmed_at", "is", null)
      .where("withdrawn_at", "is", null)
      .executeTakeFirst();
    if (open !== undefined)
      throw new OperatorError(`Proposal ${open.id} decides it: somebody else confirms it, or anybody withdraws it.`);
    const { network, slug, amount: found } = surplus;
    const amount: bigint = end === "keep" ? found : 0n - found;
    const adjustment = { network, slug, account: "suspense", amount } as const;
    const { id: proposal } = await transaction
      .insertInto("adjustments")
      .values({
        ...adjustment,
        reason: operator.reason,
        proposed_by: operator.name,
        is_unmeasured: true,
        surplus_id: id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const change = { action: `surplus ${end}`, subject: `surplus ${id}`, before: {} };
    await recordAction(transaction, operator, { ...change, after: { adjustment: proposal, ...adjustment } });
    return proposal;
  });
}

/** Announces coins that an operator is about to add to a hot wallet, so that they are booked as ours. Returns the announcement's number. */
export function expectTopUp(
  database: Database,
  operator: Operator,
  { network, slug, amount }: { network: string; slug: string; amount: bigint },
): Promise<bigint> {
  return inTransaction(database, async (transaction) => {
    const { id } = await transaction
      .insertInto("expected_top_ups")
      .values({
        network,
        slug,
        amount,
        expected_by: operator.name,
        expires_at: sql<Date>`now() + make_interval(days => ${EXPECTED_DAYS})`,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const after = { network, slug, amount };
    await recordAction(transaction, operator, {
      action: "top-up expect",
      subject: `top-up ${id}`,
      before: {},
      after,
    });
    return id;
  });
}

/** Ends an announcement: what arrives from now on is a surplus. Throws `OperatorError` where it has ended. */
export async function cancelTopUp(database: Database, operator: Operator, id: bigint): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const open = await transaction
      .updateTable("expected_top_ups")
      .set({ ended_at: sql<Date>`now()` })
      .where("id", "=", id)
      .where("ended_at", "is", null)
      .where("expires_at", ">", sql<Date>`now()`)
      .returning(["slug", "amount"])
      .executeTakeFirst();
    if (open === undefined) throw new OperatorError(`No top-up ${id} is expected.`);
    const change = { action: "top-up cancel", subject: `top-up ${id}`, before: open, after: {} };
    await recordAction(transaction, operator, change);
  });
}
