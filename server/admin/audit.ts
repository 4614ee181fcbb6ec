import type { Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";

/** An invalid command; the message says what is valid. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** Who changes something, and why. */
export type Operator = { name: string; reason: string };

export type OperatorAction = { action: string; subject: string; before: object; after: object };

/** Records a change in its own transaction; the table refuses to forget one. */
export async function recordAction(
  transaction: Transaction<Schema>,
  { name, reason }: Operator,
  { action, subject, before, after }: OperatorAction,
): Promise<void> {
  await transaction
    .insertInto("operator_actions")
    .values({ operator: name, reason, action, subject, before: asJson(before), after: asJson(after) })
    .execute();
}

const asJson = (value: object): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? one.toString() : one));
