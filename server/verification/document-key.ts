import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { randomHex } from "../base/secrets.ts";
import { ConfigError } from "../base/processes/startup-error.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { readOrMakeSetting, readSetting, storeSetting } from "../db/settings.ts";
import { inTransaction } from "../db/transaction.ts";
import { type Operator, OperatorError, recordAction } from "../admin/index.ts";
import { type DocumentKey, documentKey } from "./sealing.ts";
import { resealDocuments } from "./store.ts";

const SETTING = "kyc_key";
const COMMAND = "npm run admin -- kyc-key REASON --as NAME";
const MISSING = `KYC_KEY is missing: documents of checks are sealed with it. Set it as it was. If it is lost, set a new one and run: ${COMMAND}`;
const DIFFERENT = `KYC_KEY is not the key that documents of checks are sealed with. Set that one. To change it, set the new one and run: ${COMMAND}`;

/** The sandbox's own key, or what a configured one is recognised by: each document has it too. */
const stateSchema = z.union([z.object({ hex: z.string() }), z.object({ id: z.string() })]);
type State = z.infer<typeof stateSchema>;

export type KeyOptions = { kycKey: Buffer | null; sandbox: boolean };

/**
 * The key of a web process: KYC_KEY, or in the sandbox one in its database; null where neither is. Throws `ConfigError` for another key than
 * that of the processes before it, so that a start with it fails rather than every look of an operator.
 */
export async function openDocumentKey(
  database: Database,
  { kycKey, sandbox }: KeyOptions,
): Promise<DocumentKey | null> {
  return inTransaction(database, async (transaction) => {
    const state = await readState(transaction);
    if (kycKey === null) {
      if (state !== null && "id" in state) throw new ConfigError(MISSING);
      if (!sandbox) return null;
      if (state === null && (await hasDocuments(transaction))) throw new ConfigError(MISSING);
      return documentKey(await sandboxKey(transaction));
    }
    const key = documentKey(kycKey);
    const isKnown = state !== null && "id" in state ? state.id === key.id : await canTakeOver(transaction, state, key);
    if (!isKnown) throw new ConfigError(DIFFERENT);
    await storeState(transaction, { id: key.id });
    return key;
  });
}

/** The key of one command, which may be another one than before. */
export async function readDocumentKey(
  { kysely }: Database,
  { kycKey, sandbox }: KeyOptions,
): Promise<DocumentKey | null> {
  if (kycKey !== null) return documentKey(kycKey);
  return sandbox ? documentKey(await sandboxKey(kysely)) : null;
}

/** Seals all documents with another key, and makes it the one that every start must have. Returns what the operator reads. */
export async function changeDocumentKey(
  database: Database,
  { kycKey, formerKycKey }: KeyOptions & { formerKycKey: Buffer | null },
  operator: Operator,
): Promise<string> {
  if (kycKey === null) throw new OperatorError("Set KYC_KEY to the new key: openssl rand -hex 32");
  return inTransaction(database, async (transaction) => {
    const state = await readState(transaction);
    const own = state !== null && "hex" in state ? Buffer.from(state.hex, "hex") : null;
    const former = [formerKycKey, own].filter((one) => one !== null).map(documentKey);
    const key = documentKey(kycKey);
    const done = await resealDocuments(transaction, key, former);
    await storeState(transaction, { id: key.id });
    await recordAction(transaction, operator, {
      action: "kyc-key",
      subject: "documents of checks",
      before: {},
      after: done,
    });
    return `${done.sealed} documents are sealed with KYC_KEY. ${done.unreadable} can't be read: reject their checks as document_unreadable. Restart the web processes with this key now.`;
  });
}

/** Before any process has stored what it is recognised by: nothing that needs another key must be left. */
async function canTakeOver(
  transaction: Transaction<Schema>,
  state: State | null,
  { id }: DocumentKey,
): Promise<boolean> {
  const hasMine = state === null && (await hasDocuments(transaction, "=", id));
  return hasMine || !(await hasDocuments(transaction, "<>", id));
}

async function hasDocuments(transaction: Transaction<Schema>, operator: "=" | "<>" = "<>", id = ""): Promise<boolean> {
  const one = await transaction
    .selectFrom("verification_documents")
    .select("key_id")
    .where("key_id", operator, id)
    .limit(1)
    .executeTakeFirst();
  return one !== undefined;
}

/** Locked, so that processes that start together agree. */
async function readState(transaction: Transaction<Schema>): Promise<State | null> {
  await sql`select pg_advisory_xact_lock(hashtext(${SETTING}))`.execute(transaction);
  const value = await readSetting(transaction, SETTING);
  return value === undefined ? null : stateSchema.parse(value);
}

const storeState = (transaction: Transaction<Schema>, state: State): Promise<void> =>
  storeSetting(transaction, SETTING, state);

async function sandboxKey(db: Kysely<Schema>): Promise<Buffer> {
  const state = stateSchema.parse(await readOrMakeSetting(db, SETTING, { hex: randomHex(32) }));
  if (!("hex" in state)) throw new ConfigError(MISSING);
  return Buffer.from(state.hex, "hex");
}
