import { sql } from "kysely";
import type { Database } from "../../../server/db/database.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { depositEntries } from "../../../server/treasury/ledger/entries.ts";
import { post } from "../../../server/treasury/ledger/ledger.ts";
import type { CrashPoints } from "./crash-points.ts";
import { runProcess, timePasses } from "./dying-process.ts";
import { createTestEngine, orderBody, type TestEngine } from "./test-engine.ts";
import { sweepViolations } from "../checkers/sweep-checkers.ts";
import type { SweepingChain } from "../chains/sweeping-chain.ts";

/** What a customer sends in a scenario. */
const TERMS = {
  token: {
    from: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
    to: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
    claimed: "1500",
    amount: 1_500_000_000n,
  },
  coin: {
    from: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
    to: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
    claimed: "0.5",
    amount: 5n * 10n ** 17n,
  },
} as const;
/** More blocks than a correct sweep needs. */
const MOST_BLOCKS = 30;

/**
 * Sweeps of a token or a coin over a chain in memory and a real database, one after the other, by a process that may die at any point and is
 * restarted. Another process follows the chain.
 */
export class SweepScenarios {
  readonly #chain: SweepingChain;
  readonly #database: Database;
  readonly #witness: TestEngine;
  readonly #terms: (typeof TERMS)[keyof typeof TERMS];

  private constructor(chain: SweepingChain, database: Database, witness: TestEngine, what: keyof typeof TERMS) {
    this.#chain = chain;
    this.#database = database;
    this.#witness = witness;
    this.#terms = TERMS[what];
  }

  static async open(
    chain: SweepingChain,
    database: Database,
    what: keyof typeof TERMS = "token",
  ): Promise<SweepScenarios> {
    const witness = await createTestEngine({ database, reader: chain, wallet: chain });
    await witness.settle();
    return new SweepScenarios(chain, database, witness, what);
  }

  /** One more deposit lies on an address of its own, credited as an order's settlement credits it. */
  async begin(): Promise<void> {
    const { from, to, claimed, amount } = this.#terms;
    const body = orderBody({ instrumentFrom: from, instrumentTo: to, claimedDepositAmount: claimed });
    const { depositAddress } = await this.#witness.engine.orderService.create(body, {
      key: "scenario",
      traceId: "scenario",
    });
    const txId = this.#chain.deposit(depositAddress, from.slug, amount);
    this.#chain.mine();
    await this.#follow();
    await inTransaction(this.#database, async (transaction) => {
      const at = new Date();
      const { id } = await transaction
        .updateTable("deposits")
        .set({ credited_at: at })
        .where("tx_id", "=", txId)
        .returning("id")
        .executeTakeFirstOrThrow();
      await post(transaction, { kind: "deposit", sourceId: `${id}`, at, entries: depositEntries(from.slug, amount) });
    });
  }

  /** Runs until the sweep is done, or until the process dies; returns the name of the point where it died, else null. */
  live(points: CrashPoints): Promise<string | null> {
    return runProcess(this.#database, points, async (database) => {
      const [reader, wallet] = [points.reader(this.#chain), points.wallet(this.#chain)];
      await this.#untilDone(await createTestEngine({ database, reader, wallet, probe: points.probe }));
    });
  }

  violations(): Promise<string[]> {
    return sweepViolations(this.#database, {
      holds: async (address, slug) => this.#chain.holds(address, slug),
      arrived: async (slug) => this.#chain.received("hot", slug),
    });
  }

  async #follow(): Promise<void> {
    for (const follower of this.#witness.engine.followers.values()) while (await follower.turn());
  }

  async #untilDone({ engine }: TestEngine): Promise<void> {
    for (let block = 0; block < MOST_BLOCKS; block += 1) {
      await timePasses(this.#database);
      await this.#follow();
      if ((await this.#deposits("d.credited_at is not null and d.sweep_id is null")) > 0) await engine.planSweeps();
      while (await engine.runSweeps("ETH"));
      if ((await this.#deposits("d.credited_at is not null and s.state is distinct from 'done'")) === 0) return;
      // Deep enough at once: waiting block by block would only repeat the same points.
      this.#chain.mine(3);
    }
    throw new Error("the sweep did not end");
  }

  async #deposits(condition: string): Promise<number> {
    const { rows } = await sql`
      select from deposits d left join sweeps s on s.id = d.sweep_id where ${sql.raw(condition)}`.execute(
      this.#database.kysely,
    );
    return rows.length;
  }
}
