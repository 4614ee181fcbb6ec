import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { type Identity, identitySchema, type KycStatus } from "#contract/accounts/verification.ts";
import { sha256 } from "../base/secrets.ts";
import type { Schema } from "../db/schema.ts";
import { PHOTO_KINDS, type PhotoKind } from "./port.ts";
import type { DocumentKey } from "./sealing.ts";

type DocumentKind = "form" | PhotoKind;

/** The newest check of a person; null before the first. */
export const newestOf = async (db: Kysely<Schema>, userId: bigint) =>
  (await db
    .selectFrom("verifications")
    .select(["id", "status", "reject_reason as rejectReason"])
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()) ?? null;

/** Counts a try of today and returns how many there were. */
export async function countTry(db: Kysely<Schema>, userId: bigint, now: Date): Promise<number> {
  const { rows } = await sql<{ tries: number }>`
    insert into verification_tries as t (user_id, day, tries) values (${userId}, ${now}::date, 1)
    on conflict (user_id) do update set day = excluded.day, tries = case when t.day = excluded.day then t.tries + 1 else 1 end
    returning tries`.execute(db);
  return rows[0]?.tries ?? 0;
}

/** Checks of a client in a day: accounts cost nothing, and documents fill the disk until somebody decides. */
const CLIENT_CHECKS_A_DAY = 100;
/** Of everybody, undecided: some 20 GB where each is as large as it may be. */
const MAX_WAITING = 2_000;

/** Whether a check of this client has room: `client` where it has sent too many, `all` where too many wait for operators. */
export async function fullOf(db: Kysely<Schema>, client: string, now: Date): Promise<"client" | "all" | null> {
  const { rows } = await sql<{ by_client: number; waiting: number }>`
    select (select count(*)::int from verifications
        where client_hash = ${sha256(client)} and created_at > ${now}::timestamptz - interval '1 day') as by_client,
      (select count(*)::int from verifications where status in ('CREATED', 'PROCESS')) as waiting`.execute(db);
  if ((rows[0]?.by_client ?? 0) >= CLIENT_CHECKS_A_DAY) return "client";
  return (rows[0]?.waiting ?? 0) >= MAX_WAITING ? "all" : null;
}

/** What a check is made of. */
export type Documents = { form: Identity; photos: ReadonlyMap<PhotoKind, Uint8Array> };

/** Stores a check with its documents, sealed. */
export async function insertVerification(
  transaction: Transaction<Schema>,
  given: { userId: bigint; client: string; at: Date; documents: Documents; key: DocumentKey },
): Promise<void> {
  const { userId, client, at, documents, key } = given;
  const { id } = await transaction
    .insertInto("verifications")
    .values({ user_id: userId, client_hash: sha256(client), status: "CREATED", created_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  const parts: [DocumentKind, Uint8Array][] = [
    ["form", Buffer.from(JSON.stringify(documents.form))],
    ...documents.photos,
  ];
  await transaction
    .insertInto("verification_documents")
    .values(
      parts.map(([kind, bytes]) => ({
        verification_id: id,
        kind,
        key_id: key.id,
        sealed: key.seal(bytes, contextOf(id, kind)),
      })),
    )
    .execute();
}

/** What is stored of a check's documents. `unreadable` were sealed with another key, of which only the photos' kinds are known. */
export type StoredDocuments =
  | { kind: "readable"; documents: Documents }
  | { kind: "unreadable"; photoKinds: PhotoKind[] }
  | { kind: "deleted" };

/** The documents of a check, opened with `key`; null opens none. Throws where they were changed. */
export async function readDocuments(db: Kysely<Schema>, id: bigint, key: DocumentKey | null): Promise<StoredDocuments> {
  const rows = await db
    .selectFrom("verification_documents")
    .select(["kind", "key_id", "sealed"])
    .where("verification_id", "=", id)
    .execute();
  const stored = new Map(rows.map((row) => [row.kind, row]));
  const formRow = stored.get("form");
  if (formRow === undefined) return { kind: "deleted" };
  if (key === null || rows.some(({ key_id }) => key_id !== key.id))
    return { kind: "unreadable", photoKinds: PHOTO_KINDS.filter((kind) => stored.has(kind)) };
  const open = (row: (typeof rows)[number]) => key.open(row.sealed, contextOf(id, row.kind));
  const photos = PHOTO_KINDS.flatMap((kind) => {
    const row = stored.get(kind);
    return row === undefined ? [] : [[kind, open(row)] as const];
  });
  const form = z.parse(identitySchema, JSON.parse(open(formRow).toString()));
  return { kind: "readable", documents: { form, photos: new Map(photos) } };
}

/** Seals with `key` what one of the former keys opens, one document at a time: a photo has megabytes. */
export async function resealDocuments(
  transaction: Transaction<Schema>,
  key: DocumentKey,
  former: readonly DocumentKey[],
): Promise<{ sealed: number; unreadable: number }> {
  const rows = await transaction
    .selectFrom("verification_documents")
    .select(["verification_id", "kind", "key_id"])
    .where("key_id", "<>", key.id)
    .execute();
  const done = { sealed: 0, unreadable: 0 };
  for (const { verification_id: id, kind, key_id: keyId } of rows) {
    const opener = former.find((one) => one.id === keyId);
    done[opener === undefined ? "unreadable" : "sealed"] += 1;
    if (opener === undefined) continue;
    const one = transaction
      .selectFrom("verification_documents")
      .where("verification_id", "=", id)
      .where("kind", "=", kind);
    const document = await one.select("sealed").forUpdate().executeTakeFirst();
    // Deleted in between, after its time.
    if (document === undefined) continue;
    const context = contextOf(id, kind);
    await transaction
      .updateTable("verification_documents")
      .set({ key_id: key.id, sealed: key.seal(opener.open(document.sealed, context), context) })
      .where("verification_id", "=", id)
      .where("kind", "=", kind)
      .execute();
  }
  return done;
}

const contextOf = (id: bigint, kind: DocumentKind): string => `verification ${id} ${kind}`;

/** The decision stays; what it was made of goes (contract §10). Returns how many checks were emptied. */
export async function deleteOldDocuments(db: Kysely<Schema>, decidedBefore: Date, now: Date): Promise<number> {
  const { rows } = await sql`
    with emptied as (
      update verifications set documents_deleted_at = ${now}
      where documents_deleted_at is null and decided_at < ${decidedBefore} returning id
    ), deleted as (
      delete from verification_documents d using emptied where d.verification_id = emptied.id
    )
    select id from emptied`.execute(db);
  return rows.length;
}

/** Moves a check on. */
export async function setStatus(
  transaction: Transaction<Schema>,
  id: bigint,
  change: { status: KycStatus; rejectReason: string | null; decidedAt: Date | null },
): Promise<void> {
  await transaction
    .updateTable("verifications")
    .set({
      status: change.status as Exclude<KycStatus, "NOT_STARTED">,
      reject_reason: change.rejectReason,
      decided_at: change.decidedAt,
    })
    .where("id", "=", id)
    .execute();
}
