import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Transaction } from "kysely";
import { type KycStatus, REJECT_REASONS } from "#contract/accounts/verification.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction, transactionTime } from "../db/transaction.ts";
import { enqueueAccountMessage } from "../notifications/index.ts";
import { OperatorError, readOperator, readOptions, recordAction, requireScope } from "../admin/index.ts";
import { decideVerification, type VerificationCommand } from "./decide.ts";
import { changeDocumentKey, type KeyOptions, readDocumentKey } from "./document-key.ts";
import type { DocumentKey } from "./sealing.ts";
import { type Documents, readDocuments, setStatus } from "./store.ts";

export const VERIFICATION_HELP = `npm run admin -- verification list
npm run admin -- verification open <id> <new folder> REASON --as EMAIL
npm run admin -- verification approve <id> REASON --as EMAIL
npm run admin -- verification reject <id> <${REJECT_REASONS.join("|")}> REASON --as EMAIL
npm run admin -- kyc-key REASON --as NAME`;

type Operator = ReturnType<typeof readOperator>;

/** Runs an operator's command about checks of identities and returns its output; null for another command. Throws `OperatorError`. */
export async function runVerificationCommand(
  database: Database,
  keyOptions: KeyOptions & { formerKycKey: Buffer | null },
  [command, ...given]: readonly string[],
): Promise<string | null> {
  if (command !== "verification" && command !== "kyc-key") return null;
  const { words, options } = readOptions(given);
  if (command === "kyc-key") return changeDocumentKey(database, keyOptions, readOperator(options, words));
  const [action, id = "", ...rest] = words;
  switch (action) {
    case "list":
      return list(database);
    case "open": {
      const [folder = "", ...why] = rest;
      const by = readOperator(options, why);
      const check = readId(id);
      const key = await keyOf(database, keyOptions);
      await makeFolder(folder);
      await write(folder, await look(database, key, check, by).catch((error) => removeFolder(folder, error)));
      return `The documents are in ${folder}. Delete the folder once you have decided.`;
    }
    case "approve":
      await decide(database, null, readId(id), { command: "approve", reason: null }, readOperator(options, rest));
      return `Check ${id} is approved; its owner is told.`;
    case "reject": {
      const [word, ...why] = rest;
      const reason = REJECT_REASONS.find((known) => known === word);
      if (reason === undefined) throw new OperatorError(`"${word ?? ""}" is no reason.\n${VERIFICATION_HELP}`);
      const key = await readDocumentKey(database, keyOptions);
      await decide(database, key, readId(id), { command: "reject", reason }, readOperator(options, why));
      return `Check ${id} is rejected; its owner is told and may send again.`;
    }
    default:
      throw new OperatorError(VERIFICATION_HELP);
  }
}

function readId(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new OperatorError(`"${text}" is no check.\n${VERIFICATION_HELP}`);
  return BigInt(text);
}

async function keyOf(database: Database, options: KeyOptions): Promise<DocumentKey> {
  const key = await readDocumentKey(database, options);
  if (key === null) throw new OperatorError("Set KYC_KEY as the web processes have it.");
  return key;
}

async function list({ kysely }: Database): Promise<string> {
  const rows = await kysely
    .selectFrom("verifications")
    .select(["id", "user_id", "status", "created_at"])
    .where("status", "in", ["CREATED", "PROCESS"])
    .orderBy("id")
    .execute();
  if (rows.length === 0) return "Nobody waits for a check.";
  return rows
    .map(({ id, user_id, status, created_at }) => `${id}  user ${user_id}  ${status}  sent ${created_at.toISOString()}`)
    .join("\n");
}

type Found = { id: bigint; userId: bigint; status: "CREATED" | "PROCESS" | "PASS" | "REJECT"; decidedAt: Date | null };

/** Locked, so that two operators decide one after the other. */
async function lock(transaction: Transaction<Schema>, id: bigint): Promise<Found> {
  const found = await transaction
    .selectFrom("verifications")
    .select(["id", "user_id as userId", "status", "decided_at as decidedAt"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) throw new OperatorError(`There is no check ${id}.`);
  return found;
}

function next(command: VerificationCommand, { status }: { status: KycStatus }) {
  const decided = decideVerification(command, status);
  if (decided.kind === "refused") throw new OperatorError(`${decided.reason}.`);
  return decided.status;
}

/** Sealed with a key that was lost: nobody can look, and only a refusal lets the owner send again. */
async function isUnreadable(transaction: Transaction<Schema>, id: bigint, key: DocumentKey): Promise<boolean> {
  const other = await transaction
    .selectFrom("verification_documents")
    .select("key_id")
    .where("verification_id", "=", id)
    .where("key_id", "<>", key.id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** The documents, and the audit row of the look: neither without the other. */
const look = (database: Database, key: DocumentKey, id: bigint, by: Operator): Promise<Documents> =>
  inTransaction(database, async (transaction) => {
    await requireScope(transaction, by.name, "kyc");
    const found = await lock(transaction, id);
    const status = next("open", found);
    const stored = await readDocuments(transaction, id, key);
    if (stored.kind === "unreadable")
      throw new OperatorError(
        "It was sealed with another KYC_KEY: set that one. If that is lost, reject the check as document_unreadable: its owner may send again.",
      );
    if (stored.kind === "deleted") throw new OperatorError("Its documents were deleted; the decision stays.");
    if (status !== found.status) await setStatus(transaction, id, { status, rejectReason: null, decidedAt: null });
    await recordAction(transaction, by, {
      action: "verification open",
      subject: `verification ${id}`,
      before: { status: found.status },
      after: { status },
    });
    return stored.documents;
  });

const decide = (
  database: Database,
  key: DocumentKey | null,
  id: bigint,
  { command, reason }: { command: "approve" | "reject"; reason: string | null },
  by: Operator,
): Promise<void> =>
  inTransaction(database, async (transaction) => {
    await requireScope(transaction, by.name, "kyc");
    const found = await lock(transaction, id);
    const isLost = command === "reject" && key !== null && (await isUnreadable(transaction, id, key));
    const status = next(command, isLost ? { ...found, status: next("open", found) } : found);
    await setStatus(transaction, id, { status, rejectReason: reason, decidedAt: await transactionTime(transaction) });
    await recordAction(transaction, by, {
      action: `verification ${command}`,
      subject: `verification ${id}`,
      before: { status: found.status },
      after: { status, ...(reason !== null && { reason }) },
    });
    await enqueueAccountMessage(transaction, {
      userId: found.userId,
      topic: command === "approve" ? "verification_passed" : "verification_rejected",
      subject: `verification ${id}`,
      sourceKey: `verification ${id}`,
      ...(reason !== null && { payload: { reason } }),
    });
  });

/** For this operator alone; a folder that is there already is left alone. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    throw new OperatorError(`${folder} can't be made: name a new folder.`, { cause: error });
  }
}

/** Nothing was written into it: whoever may not look leaves no folder either. */
async function removeFolder(folder: string, error: unknown): Promise<never> {
  await rmdir(folder);
  throw error;
}

async function write(folder: string, { form, photos }: Documents): Promise<void> {
  const put = (name: string, content: string | Uint8Array) =>
    writeFile(join(folder, name), content, { mode: 0o600, flag: "wx" });
  await put("form.json", `${JSON.stringify(form, null, 2)}\n`);
  for (const [kind, bytes] of photos) await put(`${kind}.jpg`, bytes);
}
