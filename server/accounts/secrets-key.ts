import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { sql, type Transaction } from "kysely";
import * as z from "zod";
import { randomHex } from "../base/secrets.ts";
import { seal, unseal } from "../base/sealed.ts";
import { ConfigError } from "../base/processes/startup-error.ts";
import type { Schema } from "../db/schema.ts";
import { readOrMakeSetting, storeSetting } from "../db/settings.ts";

const KEY_BYTES = 32;

/** What one configured key encrypts. */
export type Secrets = {
  /** Of `settings`. */
  name: string;
  variable: string;
  /** As texts name them: "the secrets of API keys". */
  title: string;
  /** Of the admin CLI. */
  command: string;
  /** All of them, locked. */
  all(transaction: Transaction<Schema>): Promise<Sealed[]>;
  store(transaction: Transaction<Schema>, id: string, secret: Buffer): Promise<void>;
};
type Sealed = { id: string; secret: Buffer; context?: string };

export type SecretsKey = {
  /**
   * The key, which no command changes before the transaction ends. `configured` is that of the environment. Throws `ConfigError` where that
   * is not the key, so that a start with it fails rather than every call that needs a secret.
   */
  open(transaction: Transaction<Schema>, configured: Buffer | null): Promise<Buffer>;
  /**
   * Encrypts all secrets with another key, and makes it the one that every start must have. `former` is the configured key before it.
   * Returns how many secrets it can't decrypt: they stay.
   */
  change(transaction: Transaction<Schema>, key: Buffer, former: Buffer | null): Promise<KeyChange>;
};
type KeyChange = { encrypted: number; unreadable: number };

const hex = z.string().transform((text) => Buffer.from(text, "hex"));
/** The key itself, or what a configured one is recognised by. */
const stateSchema = z.union([z.object({ hex }), z.object({ salt: hex, digest: hex })]);
type State = z.infer<typeof stateSchema>;

/** The key of some secrets: that of the environment, which the database recognises by a digest, or one that the database holds. */
export function createSecretsKey({ name, variable, title, command, all, store }: Secrets): SecretsKey {
  const howTo = `npm run admin -- ${command} REASON --as NAME`;
  const missing = `${variable} is missing: ${title} are encrypted with it. Set it as it was. If it is lost, set a new one and run: ${howTo}`;
  const different = `${variable} is not the key that ${title} are encrypted with. Set that one. To change it, set the new one and run: ${howTo}`;
  const notYet = `${variable} is set, but ${title} are encrypted with the key in the database. Change it first, with ${variable} set: ${howTo}`;

  const readState = async (transaction: Transaction<Schema>, lock: ReturnType<typeof sql>): Promise<State | null> => {
    const { rows } = await sql<{ value: unknown }>`select value from settings where key = ${name} ${lock}`.execute(
      transaction,
    );
    return rows[0] === undefined ? null : stateSchema.parse(rows[0].value);
  };

  const isReadable = (key: Buffer, { secret, context }: Sealed) => decryptSecret(key, secret, context) !== null;

  /** Before any process has stored one: the configured key, or a new one that is kept in the database. */
  const firstState = async (transaction: Transaction<Schema>, configured: Buffer | null): Promise<State> => {
    const secrets = await all(transaction);
    if (secrets.length > 0) {
      if (configured === null) throw new ConfigError(missing);
      if (!secrets.some((one) => isReadable(configured, one))) throw new ConfigError(different);
    }
    const made = randomHex(KEY_BYTES);
    const value = configured === null ? { hex: made } : recognised(configured);
    return stateSchema.parse(await readOrMakeSetting(transaction, name, value));
  };

  const storeDigest = (transaction: Transaction<Schema>, key: Buffer): Promise<void> =>
    storeSetting(transaction, name, recognised(key));

  /** Replaces the stored key by the configured one where no secret needs the stored one. */
  const adopt = async (transaction: Transaction<Schema>, configured: Buffer): Promise<void> => {
    await readState(transaction, sql`for update`);
    if (!(await all(transaction)).every((one) => isReadable(configured, one))) throw new ConfigError(notYet);
    await storeDigest(transaction, configured);
  };

  return {
    async open(transaction, configured) {
      const state = (await readState(transaction, sql`for share`)) ?? (await firstState(transaction, configured));
      if ("hex" in state) {
        if (configured === null) return state.hex;
        await adopt(transaction, configured);
        return configured;
      }
      if (configured === null) throw new ConfigError(missing);
      if (!timingSafeEqual(digestOf(configured, state.salt), state.digest)) throw new ConfigError(different);
      return configured;
    },
    async change(transaction, key, former) {
      const state = await readState(transaction, sql`for update`);
      const keys = [key, former, state !== null && "hex" in state ? state.hex : null].filter((one) => one !== null);
      const done = { encrypted: 0, unreadable: 0 };
      for (const { id, secret, context } of await all(transaction)) {
        const plain = keys.map((one) => decryptSecret(one, secret, context)).find((one) => one !== null);
        done[plain === undefined ? "unreadable" : "encrypted"] += 1;
        if (plain !== undefined) await store(transaction, id, seal(key, plain, context));
      }
      await storeDigest(transaction, key);
      return done;
    },
  };
}

/** Null for one that was encrypted with another key. */
export function decryptSecret(key: Buffer, sealed: Buffer, context = ""): Buffer | null {
  try {
    return unseal(key, sealed, context);
  } catch {
    // `unseal` does nothing else that can fail.
    return null;
  }
}

/** The key is random, so that one round of a hash is enough. */
const digestOf = (key: Buffer, salt: Buffer): Buffer => createHmac("sha256", key).update(salt).digest();

function recognised(key: Buffer): { salt: string; digest: string } {
  const salt = randomBytes(KEY_BYTES);
  return { salt: salt.toString("hex"), digest: digestOf(key, salt).toString("hex") };
}
