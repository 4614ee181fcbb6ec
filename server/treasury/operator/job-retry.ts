import type { Database } from "../../db/database.ts";
import { type BackingOffQueue, retryFailingJob } from "../../db/job-failures.ts";
import { inTransaction } from "../../db/transaction.ts";
import { type Operator, OperatorError, noSuchOrder, recordAction, storedReference } from "../../admin/index.ts";

/** Lets a job that fails again and again run at once, and counts its failures anew; an order is named by its reference or id. */
export async function retryJob(
  database: Database,
  operator: Operator,
  queue: BackingOffQueue,
  named: string,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const order =
      queue === "orders"
        ? await transaction
            .selectFrom("orders")
            .select(["id", "reference"])
            .where((is) => is.or([is("reference", "=", storedReference(named)), is("id", "=", named)]))
            .executeTakeFirst()
        : undefined;
    if (queue === "orders" && order === undefined) throw noSuchOrder(named);
    const before = await retryFailingJob(transaction, queue, order?.id ?? named);
    if (before === null) throw new OperatorError(`The job ${queue} ${named} does not fail.`);
    const subject = `job ${queue} ${order?.reference ?? named}`;
    await recordAction(transaction, operator, { action: "job retry", subject, before, after: { failures: 0 } });
  });
}
