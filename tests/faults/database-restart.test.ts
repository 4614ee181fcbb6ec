import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { noticeRestore } from "../../server/db/backup/restored.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../server/db/embedded/postgres.ts";
import { migrate } from "../../server/db/migrate.ts";
import { createLog } from "../../server/base/logging/log.ts";
import { createUsedSignatures } from "../../server/partner-api/index.ts";
import { eventually } from "../support/eventually.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const SERVING_WITHIN_MS = 5_000;
const FULL = 1_491_500_000n;

let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;

beforeAll(async () => {
  const log = createLog({ level: "silent" });
  folder = await mkdtemp(join(tmpdir(), "wherry-restart-"));
  postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  database = openDatabase(postgres.url, { max: 4, log, applicationName: "restart" });
  await migrate(database);
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const postmaster = async () =>
  Number((await readFile(join(folder, "postgres-18/postmaster.pid"), "utf8")).split("\n", 1)[0]);

/** Ends the database as `pg_ctl restart -m` does; resolves when its supervisor has restarted it. */
async function restart(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<number> {
  const pid = await postmaster();
  process.kill(pid, signal);
  const log = createLog({ level: "silent" });
  return eventually("PostgreSQL answers again", async () => {
    if (
      await postmaster().then(
        (now) => now === pid,
        () => true,
      )
    )
      return null;
    const fresh = openDatabase(postgres.url, { max: 1, log, applicationName: "test" });
    try {
      await fresh.pool.query("select 1");
      return performance.now();
    } catch (error) {
      log.debug({ err: error }, "not yet");
      return null;
    } finally {
      await fresh.close();
    }
  });
}

it.each([
  ["fast", "SIGINT"],
  ["immediate", "SIGQUIT"],
  ["killed", "SIGKILL"],
] as const)(
  "a database restart (%s) in mid-swap: the next call is served in under 5 s, and the swap is paid once",
  async (name, signal) => {
    await database.pool.query("truncate orders, chain_tail cascade");
    const swap = await FaultySwap.over(database);
    await swap.open();
    swap.pay();
    await swap.blocks(2);
    const answering = restart(signal);
    const served = eventually("an order is served again", async () => {
      try {
        await answering;
        return await swap.info();
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        return null;
      }
    });
    const seen = await served;
    const took = performance.now() - (await answering);
    process.stdout.write(`database restart, ${name}: served ${took.toFixed(0)} ms after PostgreSQL answered\n`);
    expect(took).toBeLessThan(SERVING_WITHIN_MS);
    expect(seen.deposits).toMatchObject([{ confirmations: 2 }]);
    await swap.blocks(5);
    expect(swap.paid()).toEqual([FULL]);
    await swap.expectLawful();
  },
);

it.each([
  ["fast, which loses nothing", "SIGINT", "used"],
  ["immediate", "SIGQUIT", "unknown"],
  ["killed", "SIGKILL", "unknown"],
] as const)(
  "a signature that was taken before a database restart (%s) is not taken again",
  async (_name, signal, then) => {
    await database.pool.query("truncate users cascade");
    await database.pool.query(
      `with owner as (insert into users (email) values ('shop@mail.example') returning id)
     insert into api_keys (id, public_key, secret, name, white_list_ip, created_at, user_id)
       select gen_random_uuid(), 'wk_shop', '', '', '', now(), id from owner`,
    );
    const { rows } = await database.pool.query<{ id: bigint }>("select id from users");
    const key = { publicKey: "wk_shop", whiteListIp: "", userId: rows[0]?.id ?? 0n };
    await database.pool.query(
      "insert into signature_log values (true, 'epoch') on conflict (is_only) do update set complete_since = 'epoch'",
    );
    const used = createUsedSignatures(database);
    // As far ahead as a time stamp may be.
    const signedAt = Date.now() + 30_000;
    const take = () => used.take(`${"A".repeat(43)}=`, signedAt, key);
    expect(await take()).toBe("taken");
    await restart(signal);
    await eventually("the log of signatures has begun, with no signed call", async () => {
      try {
        const { rowCount } = await database.pool.query("select from signature_log");
        return rowCount === 1 ? true : null;
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        return null;
      }
    });
    const again = await eventually("the database answers", () =>
      take().catch((error: unknown) => {
        expect(error).toBeInstanceOf(Error);
        return null;
      }),
    );
    expect(again).toBe(then);
  },
);

/** Ends the database without a checkpoint and lets it go on as a replica's promotion does, on a timeline of its own. */
async function promote(): Promise<void> {
  const data = join(folder, "postgres-18");
  // What a replica replays it must write before a checkpoint of the new timeline is complete.
  await database.pool.query("create table replayed as select generate_series(1, 400000) as number");
  await writeFile(join(data, "standby.signal"), "");
  await restart("SIGQUIT");
  await writeFile(join(data, "promote"), "");
  process.kill(await postmaster(), "SIGUSR1");
  await eventually("the replica is the primary", async () => {
    const { rows } = await database.pool.query<{ waits: boolean }>("select pg_is_in_recovery() as waits");
    return rows[0]?.waits === false ? true : null;
  });
}

it("a server that starts right after a promotion lets the networks be read again, before the promotion's checkpoint is complete", async () => {
  const log = createLog({ level: "silent" });
  await noticeRestore(database, log);
  expect(await noticeRestore(database, log)).toBe(false);
  await promote();
  const { rows } = await database.pool.query("select timeline_id from pg_control_checkpoint()");
  expect(rows).toEqual([{ timeline_id: 1 }]);
  expect(await noticeRestore(database, log)).toBe(true);
  expect(await noticeRestore(database, log)).toBe(false);
});
