import { randomUUID } from "node:crypto";
import { randomToken } from "../../base/secrets.ts";
import { sql } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { MAX_WEBHOOKS, type Webhook, type WebhookDelivery, type WebhookWithSecret } from "#contract/webhooks.ts";
import { apiKeysKey, lockKeyOwner, lockSignedIn } from "../../accounts/index.ts";
import { unknownCursor } from "../../base/cursor.ts";
import type { SignedIn } from "../../base/routes.ts";
import { seal, unseal } from "../../base/sealed.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { endpointProblem } from "./endpoint.ts";

const SECRET_BYTES = 32;
/** Of one webhook: a receiver that takes none of them needs no more. */
const MAX_WAITING_TESTS = 5;

export type WebhookParts = {
  database: Database;
  isSandbox: boolean;
  /** 32 bytes that encrypt the secrets; without it a key in the database does. */
  apiKeysKey: Buffer | null;
  /** Called when a delivery waits. */
  onQueued(): void;
};

/** `state` null: of every one. */
type DeliveriesPage = { state: WebhookDelivery["state"] | null; after: string | null; limit: number };

type WebhookOwner = Pick<SignedIn, "userId" | "sessionId"> | { userId: bigint; publicKey: string };

/** What an account may do with its webhooks. ERR_NOT_FOUND for what is another's. */
export type Webhooks = {
  /**
   * ERR_UNAUTHORIZED where the session, or the API key, by which it is asked for has ended meanwhile. In a sandbox whoever asks from this
   * machine may name a receiver on it (contract §13): a visitor would reach what listens here for nobody else.
   */
  create(by: WebhookOwner, url: string, isDirect: boolean): Promise<WebhookWithSecret>;
  list(userId: bigint): Promise<Webhook[]>;
  remove(userId: bigint, id: string): Promise<void>;
  /** The newest first; `after` is the id of the last one of the part before. ERR_VALIDATION for one that is not in this log. */
  deliveries(
    userId: bigint,
    id: string,
    page: DeliveriesPage,
  ): Promise<{ items: WebhookDelivery[]; next: string | null }>;
  /** Queues a message that is about no order. 429 while earlier ones wait. */
  test(userId: bigint, id: string): Promise<void>;
  /** Sends one again, whatever became of it. */
  redeliver(userId: bigint, id: string, deliveryId: string): Promise<void>;
};

export function createWebhooks({ database, isSandbox, apiKeysKey: configured, onQueued }: WebhookParts): Webhooks {
  const { kysely } = database;
  const requireOwn = async (userId: bigint, id: string): Promise<void> => {
    const found = await kysely
      .selectFrom("webhooks")
      .select("id")
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (found === undefined) throw notFound();
  };
  const cursorPosition = async (webhookId: string, deliveryId: string | null): Promise<bigint | null> => {
    if (deliveryId === null) return null;
    const found = await kysely
      .selectFrom("webhook_deliveries")
      .select("n")
      .where("id", "=", deliveryId)
      .where("webhook_id", "=", webhookId)
      .executeTakeFirst();
    if (found === undefined) throw unknownCursor();
    return found.n;
  };
  return {
    async create(by, url, isDirect) {
      const { userId } = by;
      const problem = endpointProblem(url, isSandbox && isDirect);
      const isHere = problem !== null && isSandbox && endpointProblem(url, true) === null;
      if (problem !== null)
        throw new CodedError("ERR_VALIDATION", "The request is not valid", {
          data: {
            url: isHere ? "must be a public address: one on this machine is taken from this machine alone" : problem,
          },
        });
      const id = randomUUID();
      const secret = `whs_${randomToken(SECRET_BYTES)}`;
      const created_at = new Date();
      await inTransaction(database, async (transaction) => {
        // Locked: concurrent calls must not pass the limit together.
        await ("sessionId" in by ? lockSignedIn(transaction, by) : lockKeyOwner(transaction, by));
        const { count } = await transaction
          .selectFrom("webhooks")
          .select(({ fn }) => fn.countAll<bigint>().as("count"))
          .where("user_id", "=", userId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_WEBHOOKS)
          throw new CodedError("ERR_UNPROCESSABLE_ENTITY", `An account has at most ${MAX_WEBHOOKS} webhooks`);
        const sealed = seal(await apiKeysKey.open(transaction, configured), Buffer.from(secret), id);
        await transaction
          .insertInto("webhooks")
          .values({ id, user_id: userId, url, secret: sealed, created_at })
          .execute();
      });
      return { id, url, createdAt: created_at.toISOString(), secret };
    },
    async list(userId) {
      const rows = await kysely
        .selectFrom("webhooks")
        .select(["id", "url", "created_at"])
        .where("user_id", "=", userId)
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(({ id, url, created_at }) => ({ id, url, createdAt: created_at.toISOString() }));
    },
    async remove(userId, id) {
      await requireOwn(userId, id);
      // With all its deliveries, whose results are being stored: of two that wait for each other one is repeated.
      await inTransaction(database, async (transaction) =>
        transaction.deleteFrom("webhooks").where("id", "=", id).execute(),
      );
    },
    async deliveries(userId, id, { state, after, limit }) {
      await requireOwn(userId, id);
      const before = await cursorPosition(id, after);
      const all = kysely.selectFrom("webhook_deliveries").selectAll().where("webhook_id", "=", id);
      const asked = state === null ? all : all.where("state", "=", storedState(state));
      const older = before === null ? asked : asked.where("n", "<", before);
      const rows = await older
        .orderBy("n", "desc")
        .limit(limit + 1)
        .execute();
      const listed = rows.slice(0, limit);
      const items = listed.map((row): WebhookDelivery => ({
        id: row.id,
        type: row.type,
        orderId: row.order_id,
        state: STATES[row.state],
        attempts: row.attempts,
        createdAt: row.created_at.toISOString(),
        lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
        lastStatus: row.last_status,
        lastError: row.last_error,
        nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
        deliveredAt: row.delivered_at?.toISOString() ?? null,
      }));
      return { items, next: rows.length > limit ? (listed.at(-1)?.id ?? null) : null };
    },
    async test(userId, id) {
      await inTransaction(database, async (transaction) => {
        // Locked: concurrent calls must not pass the limit together.
        const own = await transaction
          .selectFrom("webhooks")
          .select("id")
          .where("id", "=", id)
          .where("user_id", "=", userId)
          .forNoKeyUpdate()
          .executeTakeFirst();
        if (own === undefined) throw notFound();
        const waiting = await transaction
          .selectFrom("webhook_deliveries")
          .select("id")
          .where("webhook_id", "=", id)
          .where("type", "=", "test")
          .where("state", "=", "pending")
          .limit(MAX_WAITING_TESTS)
          .execute();
        if (waiting.length >= MAX_WAITING_TESTS) throw tooManyTests();
        await transaction
          .insertInto("webhook_deliveries")
          .values({ webhook_id: id, type: "test", next_attempt_at: new Date() })
          .execute();
      });
      onQueued();
    },
    async redeliver(userId, id, deliveryId) {
      await requireOwn(userId, id);
      const { numUpdatedRows } = await kysely
        .updateTable("webhook_deliveries")
        .set({
          state: "pending",
          attempts: 0,
          retried_since: sql<Date>`now()`,
          next_attempt_at: sql<Date>`now()`,
          delivered_at: null,
        })
        .where("id", "=", deliveryId)
        .where("webhook_id", "=", id)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new CodedError("ERR_NOT_FOUND", "The webhook's log has no such delivery");
      onQueued();
    },
  };
}

const STATES = { pending: "PENDING", delivered: "DELIVERED", dead: "DEAD" } as const;

const storedState = (state: WebhookDelivery["state"]) =>
  state === "PENDING" ? "pending" : state === "DEAD" ? "dead" : "delivered";

const notFound = (): CodedError => new CodedError("ERR_NOT_FOUND", "There is no such webhook");

const tooManyTests = (): CodedError =>
  new CodedError("ERR_BAD_REQUEST", "Earlier tests of this webhook still wait for its receiver", {
    httpStatus: 429,
    retryAfterSeconds: 60,
  });

/** Reads the secrets of webhooks. */
export const webhookSecrets =
  (database: Database, configured: Buffer | null) =>
  async (webhookId: string, sealed: Buffer): Promise<string> => {
    const key = await inTransaction(database, (transaction) => apiKeysKey.open(transaction, configured));
    return unseal(key, sealed, webhookId).toString();
  };
