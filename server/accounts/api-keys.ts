import { randomUUID } from "node:crypto";
import { type ApiKey, MAX_API_KEYS } from "#contract/accounts/api-keys.ts";
import { CodedError } from "#contract/errors.ts";
import { randomHex, randomToken } from "../base/secrets.ts";
import { reauthenticationNeeded } from "../base/sign-in-errors.ts";
import { grouped } from "../base/concurrency/grouped.ts";
import { seal, unseal } from "../base/sealed.ts";
import { inTransaction } from "../db/transaction.ts";
import { enqueueAccountMail } from "../notifications/index.ts";
import type { AccountParts, ApiKeys } from "./port.ts";
import { apiKeysKey as encryption } from "./api-keys-key.ts";
import { lockSignedIn } from "./users.ts";

const PUBLIC_BYTES = 16;
const SECRET_BYTES = 32;
const FOUND_AT_ONCE = 64;
const FIND = `select id, user_id, public_key, secret, white_list_ip, last_used_at from api_keys
  where public_key = any($1::text[]) and is_active`;
/** Secrets that a process has decrypted. */
const MAX_SECRETS = 1_000;
/** `lastUsedAt` is so exact: writing it for every call would cost more than the call. */
const USED_TO_MS = 60_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The keys of accounts (contract §8). */
export function createApiKeys({ database, clock, apiKeysKey: configured = null, onMail }: AccountParts): ApiKeys {
  const { kysely, pool } = database;

  /** Read for every call, so that the next one of a key that was switched off is refused; equal reads share a statement. */
  const find = grouped(
    async (publicKeys: readonly string[]) => {
      const { rows } = await pool.query<StoredKey>({ name: "find_api_key", text: FIND, values: [publicKeys] });
      const byKey = new Map(rows.map((row) => [row.public_key, row]));
      return publicKeys.map((publicKey) => byKey.get(publicKey) ?? null);
    },
    { size: FOUND_AT_ONCE, runs: 2, mayFailForOne: () => false },
  );

  const secrets = new Map<string, string>();
  /** Decrypted once, by what is stored: a secret that was encrypted with another key meanwhile is read again. */
  const secretOf = async ({ secret, public_key: publicKey }: StoredKey): Promise<string> => {
    const stored = `${publicKey} ${secret.toString("base64")}`;
    const known = secrets.get(stored);
    if (known !== undefined) return known;
    const key = await inTransaction(database, (transaction) => encryption.open(transaction, configured));
    const opened = unseal(key, secret, publicKey).toString();
    if (secrets.size >= MAX_SECRETS) secrets.clear();
    secrets.set(stored, opened);
    return opened;
  };

  return {
    async listApiKeys({ userId }) {
      const rows = await kysely
        .selectFrom("api_keys")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(view);
    },
    async generateApiKey(by, { name, whiteListIp }) {
      const { userId } = by;
      // A prefix each, so that scanners for lost secrets know them.
      const publicKey = `wk_${randomHex(PUBLIC_BYTES)}`;
      const secretKey = `ws_${randomToken(SECRET_BYTES)}`;
      const row = {
        id: randomUUID(),
        user_id: userId,
        public_key: publicKey,
        name,
        white_list_ip: tidy(whiteListIp ?? ""),
        created_at: clock.now(),
      };
      await inTransaction(database, async (transaction) => {
        // Locked: concurrent calls must not pass the limit together.
        const user = await lockSignedIn(transaction, by);
        const { count } = await transaction
          .selectFrom("api_keys")
          .select(({ fn }) => fn.countAll<bigint>().as("count"))
          .where("user_id", "=", userId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_API_KEYS)
          throw new CodedError("ERR_UNPROCESSABLE_ENTITY", `An account has at most ${MAX_API_KEYS} API keys`);
        const secret = seal(await encryption.open(transaction, configured), Buffer.from(secretKey), publicKey);
        await transaction
          .insertInto("api_keys")
          .values({ ...row, secret })
          .execute();
        if (user.email !== null)
          await enqueueAccountMail(transaction, {
            userId,
            recipient: user.email,
            topic: "api_key_created",
            sourceKey: row.id,
          });
      });
      onMail?.();
      return { apiId: row.id, publicKey, secretKey, name, whiteListIp: row.white_list_ip, isActive: true };
    },
    async updateApiKey(by, { apiId, name, whiteListIp, isActive }) {
      return inTransaction(database, async (transaction) => {
        await lockSignedIn(transaction, by);
        const id = requireId(apiId);
        const change = { name, white_list_ip: tidy(whiteListIp), is_active: isActive };
        const before = await transaction
          .selectFrom("api_keys")
          .selectAll()
          .where("id", "=", id)
          .where("user_id", "=", by.userId)
          .forUpdate()
          .executeTakeFirst();
        if (before === undefined) throw noSuchKey();
        const opens = change.white_list_ip !== before.white_list_ip || (isActive && !before.is_active);
        // A stolen session may lock a key, as its owner may at any time, and opens none.
        if (opens && !by.isFresh) throw reauthenticationNeeded();
        await transaction.updateTable("api_keys").set(change).where("id", "=", id).execute();
        return view({ ...before, ...change });
      });
    },
    async deleteApiKey({ userId }, apiId) {
      const { numDeletedRows } = await kysely
        .deleteFrom("api_keys")
        .where("id", "=", requireId(apiId))
        .where("user_id", "=", userId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw noSuchKey();
    },
    async findApiKey(publicKey) {
      const row = await find(publicKey);
      if (row === null) return null;
      const { id: apiId, user_id: userId, white_list_ip: whiteListIp, last_used_at: lastUsedAt } = row;
      return { apiId, userId, secretKey: await secretOf(row), whiteListIp, lastUsedAt };
    },
    async markApiKeyUsed({ apiId, lastUsedAt }) {
      const now = clock.now();
      if (lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < USED_TO_MS) return;
      await kysely.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", apiId).execute();
    },
  };
}

type StoredKey = {
  id: string;
  user_id: bigint;
  public_key: string;
  secret: Buffer;
  white_list_ip: string;
  last_used_at: Date | null;
};

type Row = {
  id: string;
  public_key: string;
  name: string;
  white_list_ip: string;
  is_active: boolean;
  created_at: Date;
  last_used_at: Date | null;
};

const view = (row: Row): ApiKey => ({
  apiId: row.id,
  publicKey: row.public_key,
  name: row.name,
  whiteListIp: row.white_list_ip,
  isActive: row.is_active,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

/** The same list with its parts apart by one comma. */
const tidy = (whiteListIp: string): string =>
  whiteListIp
    .split(",")
    .map((part) => part.trim())
    .join(",");

const noSuchKey = (): CodedError => new CodedError("ERR_NOT_FOUND", "There is no such API key");

function requireId(apiId: string): string {
  if (!UUID.test(apiId)) throw noSuchKey();
  return apiId;
}
