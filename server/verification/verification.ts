import { DAY_SECONDS } from "#contract/durations.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import { CodedError } from "#contract/errors.ts";
import {
  identitySchema,
  type PhotoField,
  type SubmitVerificationBody,
  type VerificationStatus,
} from "#contract/accounts/verification.ts";
import { createTurns } from "../base/concurrency/turns.ts";
import type { Clock } from "../base/clock.ts";
import type { SignedIn } from "../base/routes.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { decideVerification } from "./decide.ts";
import { encodePhoto, PhotoError } from "../base/photos.ts";
import type { PhotoKind, Verification } from "./port.ts";
import type { DocumentKey } from "./sealing.ts";
import { countTry, fullOf, insertVerification, newestOf, readDocuments, type StoredDocuments } from "./store.ts";

/** Of an account; each costs the decoding of three photos. */
const TRIES_A_DAY = 20;
/** Clients whose forms are read and decoded at a time: up to 30 MB each. One client has one, so that slow ones keep nobody else out. */
const FORMS_AT_A_TIME = 8;
const WAIT_MS = 15_000;

const KINDS: Record<PhotoField, PhotoKind> = { frontPhoto: "front", backendPhoto: "back", facePhoto: "face" };

export type VerificationParts = {
  database: Database;
  clock: Clock;
  /** Locks whoever is signed in; throws ERR_UNAUTHORIZED where the session has ended. */
  lockSignedIn(transaction: Transaction<Schema>, by: SignedIn): Promise<unknown>;
  /** Null: nobody can be verified. */
  key: DocumentKey | null;
};

export function createVerification({ database, clock, lockSignedIn, key }: VerificationParts): Verification {
  const { kysely } = database;
  const inTurn = createTurns({ atATime: FORMS_AT_A_TIME, waitMs: WAIT_MS });

  const status = async (userId: bigint): Promise<VerificationStatus> => {
    const newest = await newestOf(kysely, userId);
    return { status: newest?.status ?? "NOT_STARTED", rejectReason: newest?.rejectReason ?? null };
  };

  const requireRoom = async (db: Kysely<Schema>, client: string): Promise<void> => {
    const full = await fullOf(db, client, clock.now());
    if (full === "client") throw tooMany();
    if (full === "all") throw new CodedError("ERR_SERVICE_UNAVAILABLE", "Too many checks are pending");
  };

  const accept = async (
    by: SignedIn,
    client: string,
    read: () => Promise<SubmitVerificationBody>,
    documentKey: DocumentKey,
  ): Promise<void> => {
    const { userId } = by;
    refuseWhileChecked((await status(userId)).status);
    const tries = await countTry(kysely, userId, clock.now());
    if (tries > TRIES_A_DAY) throw tooMany();
    await requireRoom(kysely, client);
    const body = await read();
    const photos = await encodePhotos(body);
    await inTransaction(database, async (transaction) => {
      // Two forms at once come one after the other, and none after the end of its session.
      await lockSignedIn(transaction, by);
      refuseWhileChecked((await newestOf(transaction, userId))?.status ?? "NOT_STARTED");
      // Serialised, so that each counts those before it.
      await sql`select pg_advisory_xact_lock(hashtext('verifications'))`.execute(transaction);
      await requireRoom(transaction, client);
      const documents = { form: identitySchema.parse(body), photos };
      await insertVerification(transaction, { userId, client, at: clock.now(), documents, key: documentKey });
    });
  };

  return {
    status,
    async submit(by, client, read) {
      if (key === null) throw new CodedError("ERR_SERVICE_UNAVAILABLE", "Identities can't be checked here");
      await inTurn(client, () => accept(by, client, read, key));
      return status(by.userId);
    },
    async exportOf(userId) {
      const rows = await kysely
        .selectFrom("verifications")
        .select(["id", "status", "reject_reason", "created_at", "decided_at"])
        .where("user_id", "=", userId)
        .orderBy("id")
        .execute();
      return Promise.all(
        rows.map(async (row) => {
          const stored = await readDocuments(kysely, row.id, key);
          return {
            status: row.status,
            rejectReason: row.reject_reason,
            createdAt: row.created_at.toISOString(),
            decidedAt: row.decided_at?.toISOString() ?? null,
            documents: stored.kind,
            form: stored.kind === "readable" ? stored.documents.form : null,
            photos: photoKindsOf(stored),
          };
        }),
      );
    },
  };
}

function photoKindsOf(stored: StoredDocuments): PhotoKind[] {
  switch (stored.kind) {
    case "readable":
      return [...stored.documents.photos.keys()];
    case "unreadable":
      return stored.photoKinds;
    case "deleted":
      return [];
  }
}

const tooMany = () =>
  new CodedError("ERR_BAD_REQUEST", "Too many tries today", { httpStatus: 429, retryAfterSeconds: DAY_SECONDS });

function refuseWhileChecked(status: VerificationStatus["status"]): void {
  const decided = decideVerification("submit", status);
  if (decided.kind === "refused") throw new CodedError("ERR_UNPROCESSABLE_ENTITY", decided.reason);
}

/** All photos, or the reasons of all that are refused. */
async function encodePhotos(body: SubmitVerificationBody): Promise<Map<PhotoKind, Uint8Array>> {
  const photos = new Map<PhotoKind, Uint8Array>();
  const refused: Record<string, string> = {};
  for (const field of Object.keys(KINDS) as PhotoField[]) {
    const file = body[field];
    if (file === undefined) continue;
    try {
      photos.set(KINDS[field], await encodePhoto(new Uint8Array(await file.arrayBuffer())));
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error;
      refused[field] = error.problem;
    }
  }
  if (Object.keys(refused).length > 0)
    throw new CodedError("ERR_VALIDATION", "The photos can't be used", { data: refused });
  return photos;
}
