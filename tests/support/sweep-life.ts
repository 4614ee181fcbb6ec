import { sql } from "kysely";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { createLog } from "../../server/log.ts";
import type { CrashPoints } from "./crash-points.ts";
import { engineWorld, orderBody, type EngineWorld } from "./engine-world.ts";
import { sweepViolations } from "./sweep-checkers.ts";
import type { SweepingChain } from "./sweeping-chain.ts";

const AMOUNT = 1_500_000_000n;
/** More blocks than an honest sweep needs. */
const MOST_BLOCKS = 30;
const log = createLog({ level: "silent" });

/** Sweeps of a token over a chain in memory and a real database, one after the other, by a process that may die at any point and is started anew. */
export class SweepLives {
  readonly #chain: SweepingChain;
  readonly #database: Database;
  #processes = 0;

  constructor(chain: SweepingChain, database: Database) {
    this.#chain = chain;
    this.#database = database;
  }

  /** One more order has come to its end, and what it was paid with lies on its address. */
  async begin(): Promise<void> {
    const world = await this.#world(this.#database, null);
    await world.settle();
    const body = orderBody({
      instrumentFrom: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
      instrumentTo: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
      claimedDepositAmount: "1500",
    });
    const { depositAddress } = await world.engine.desk.create(body, { key: "life", traceId: "life" });
    this.#chain.deposit(depositAddress, "usdt-erc20", AMOUNT);
    for (const blocks of [4, 1, 4]) {
      this.#chain.mine(blocks);
      await this.#timePasses();
      await world.settle();
    }
  }

  /** Lives until the sweep is done, or until the process dies; gives the name of the point where it died, else null. */
  async live(points: CrashPoints): Promise<string | null> {
    this.#processes += 1;
    const name = `sweep-life-${this.#processes}`;
    const database = openDatabase(this.#database.url, { max: 4, log, applicationName: name });
    const world = await this.#world(database, points);
    const died = await Promise.race([points.crashed, this.#untilDone(world).then(() => null)]);
    if (died === null) await database.close();
    else await this.#kill(database, name);
    return died;
  }

  violations(): Promise<string[]> {
    return sweepViolations(this.#database, {
      holds: async (address, slug) => this.#chain.holds(address, slug),
      arrived: async (slug) => this.#chain.received("hot", slug),
    });
  }

  #world(database: Database, points: CrashPoints | null): Promise<EngineWorld> {
    return engineWorld({
      database,
      reader: points?.reader(this.#chain) ?? this.#chain,
      wallet: points?.wallet(this.#chain) ?? this.#chain,
      ...(points ? { probe: points.probe } : {}),
    });
  }

  async #untilDone({ engine }: EngineWorld): Promise<void> {
    for (let block = 0; block < MOST_BLOCKS; block += 1) {
      await this.#timePasses();
      for (const follower of engine.followers.values()) while (await follower.turn());
      if ((await this.#deposits("d.sweep_id is null")) > 0) await engine.collectDeposits();
      while (await engine.moveDeposits());
      if ((await this.#deposits("s.state is distinct from 'done'")) === 0) return;
      // Deep enough at once: waiting block by block would only repeat the same points.
      this.#chain.mine(3);
    }
    throw new Error("the sweep did not come to its end");
  }

  async #deposits(condition: string): Promise<number> {
    const { rows } = await sql`
      select from deposits d left join sweeps s on s.id = d.sweep_id where ${sql.raw(condition)}`.execute(
      this.#database.kysely,
    );
    return rows.length;
  }

  /** The leases of the dead run out, and every wait is over. */
  async #timePasses(): Promise<void> {
    for (const table of ["sweeps", "payouts"] as const) {
      await this.#database.kysely
        .updateTable(table)
        .set({ next_attempt_at: new Date(0) })
        .where("next_attempt_at", "is not", null)
        .execute();
    }
  }

  /** A dead process's connections are cut by the database, with what they had not committed. */
  async #kill(database: Database, name: string): Promise<void> {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`.execute(
      this.#database.kysely,
    );
    database.pool.end().catch((error: unknown) => log.debug({ err: error }, "a dead process's pool"));
  }
}
