import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

/** Where a query runs: on any connection of the pool, or in the transaction that its caller has begun. */
export type QuerySource = Pick<Database, "kysely"> | Transaction<Schema>;

/** The query builder of either. */
export const kyselyOf = (source: QuerySource): Kysely<Schema> => ("kysely" in source ? source.kysely : source);

/** Called around the commit of a transaction; what it throws is thrown on. The fault harness crashes here. */
export interface TransactionProbe {
  beforeCommit(): void | Promise<void>;
  afterCommit(): void | Promise<void>;
}

/** The reply to COMMIT was lost: the transaction may have happened or not. Look its result up; running it again may do it twice. */
export class CommitUnknownError extends Error {
  override name = "CommitUnknownError";
}

const serializationFailure = "40001";
const deadlockDetected = "40P01";
const statementCompletionUnknown = "40003";
const queryCanceled = "57014";
const maxAttempts = 5;
const firstPauseMs = 20;

/**
 * Runs `work` in one READ COMMITTED transaction and commits it. Only a deadlock or a serialization failure is retried (at most
 * five attempts in all), so `work` must have no effects outside of the transaction. Throws `CommitUnknownError` when the
 * result of the commit is unknown, else what `work`, the database or the probe threw.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Transaction<Schema>) => Promise<T>,
  probe?: TransactionProbe,
): Promise<T> {
  const result = await commitWithRetry(database, work, probe);
  await probe?.afterCommit();
  return result;
}

/** The database's time, by which operators' decisions are dated on whichever machine they are made: that at which the transaction began. */
export async function transactionTime(transaction: Transaction<Schema>): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(transaction);
  if (rows[0] === undefined) throw new Error("the database returned no time");
  return rows[0].at;
}

/** A statement under a name is planned once for each connection. */
export type Statement = { name: string; text: string; values: unknown[] };

/**
 * Runs one statement, which is a transaction by itself: one round trip to the database instead of three; returns its rows. Throws as `inTransaction`
 * does, and `CommitUnknownError` when it may or may not have happened.
 */
export async function commitStatement<Row extends pg.QueryResultRow = pg.QueryResultRow>(
  database: Database,
  statement: Statement,
  probe?: TransactionProbe,
): Promise<Row[]> {
  await probe?.beforeCommit();
  // Connected first, so that a database that can't be reached is no unknown result.
  const client = await database.pool.connect();
  let failure: Error | undefined;
  let rows: Row[];
  try {
    ({ rows } = await client.query<Row>(statement));
  } catch (error) {
    if (isKnownRollback(error)) throw error;
    failure = new CommitUnknownError("the reply to a statement was lost", { cause: error });
    throw failure;
  } finally {
    client.release(failure);
  }
  await probe?.afterCommit();
  return rows;
}

const UNIQUE_VIOLATION = "23505";

/** Whether a row is there already that must not be there twice. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;

const badForOneRow = /^(21|22|23|40|P0)/;

/** Whether a statement over several rows failed for one of them, or for the company that they were in, and changed nothing. */
export const mayFailForOneRow = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && isKnownRollback(error) && badForOneRow.test(error.code ?? "");

async function commitWithRetry<T>(
  database: Database,
  work: (transaction: Transaction<Schema>) => Promise<T>,
  probe: TransactionProbe | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await commitOnce(database, work, probe);
    } catch (error) {
      if (attempt === maxAttempts || !mayRetry(error)) throw error;
      await delay(firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }
}

async function commitOnce<T>(
  database: Database,
  work: (transaction: Transaction<Schema>) => Promise<T>,
  probe: TransactionProbe | undefined,
): Promise<T> {
  let committing = false;
  try {
    return await database.kysely
      .transaction()
      .setIsolationLevel("read committed")
      .execute(async (transaction) => {
        const result = await work(transaction);
        await probe?.beforeCommit();
        committing = true;
        return result;
      });
  } catch (error) {
    if (!committing || isKnownRollback(error)) throw error;
    throw new CommitUnknownError("the reply to COMMIT was lost", { cause: error });
  }
}

function mayRetry(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === serializationFailure || error.code === deadlockDetected);
}

// The server may end a session (classes 08, 53, 57, 58, XX) after the commit is durable and before it has said so.
function isKnownRollback(error: unknown): boolean {
  if (error instanceof Error && error.name === "AbortedTransactionError") return true;
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  if (error.code === queryCanceled) return true;
  return error.code !== statementCompletionUnknown && !/^(08|53|57|58|XX)/.test(error.code);
}
